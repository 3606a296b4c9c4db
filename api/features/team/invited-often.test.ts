/** Many invitations of one person: the newest works, and none outlives a removal. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { guestEmail, tokenOf } from '../../testing/members.ts'
import { owner, signedUp, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

const typeOf = async (asked: Promise<{ status: number; text: string }>) => {
  const { status, text } = await asked
  return { status, type: status < 400 ? null : (JSON.parse(text) as { type: string }).type }
}
const asProblem = { headers: { Accept: 'application/problem+json' } }
const look = (token: string) => new ApiClient(server.url).ask('lookAtInvitation', { body: { token }, ...asProblem })
const over = { status: 404, type: '/problems/invitation-over' }

it('An address has one invitation, however many are asked for at once', async () => {
  const boss = await owner(server)
  const email = guestEmail()
  const body = { email, role: 'viewer', clients: 'all' }
  const opened = await Promise.all(Array.from({ length: 6 }, () => boss.callOrThrow('inviteMember', { body })))
  const open = async () => (await boss.callOrThrow('getTeam')).invitations.map(({ id }) => id)
  const working = async () => {
    const looks = await Promise.all(opened.map(({ link }) => look(tokenOf(link))))
    return looks.filter(({ status }) => status === 200).length
  }
  expect([(await open()).length, await working()]).toEqual([1, 1])
  const [id = ''] = await open()
  const again = await Promise.all(
    Array.from({ length: 4 }, () => typeOf(boss.ask('resendInvitation', { params: { id }, ...asProblem }))),
  )
  expect(again.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(again.filter(({ status }) => status === 404 || status === 409)).toHaveLength(3)
  expect([(await open()).length, await working()]).toEqual([1, 0])
})

it('An invitation of before brings no removed person back', async () => {
  const boss = await owner(server)
  const guest = await signedUp(server)
  const { email } = await guest.callOrThrow('getUser')
  const body = { email, role: 'viewer', clients: 'all' }
  const opened = await Promise.all(Array.from({ length: 4 }, () => boss.callOrThrow('inviteMember', { body })))
  const accept = ({ link }: { link: string }) =>
    guest.ask('acceptInvitation', { body: { token: tokenOf(link) }, ...asProblem })
  const statuses = []
  for (const each of opened) statuses.push((await accept(each)).status)
  expect(statuses.toSorted()).toEqual([200, 404, 404, 404])
  const { me } = await guest.callOrThrow('getAgency')
  await boss.callOrThrow('removeMember', { params: { id: me.memberId }, body: { links: 'kept' } })
  for (const each of opened) expect(await typeOf(accept(each))).toEqual(over)
  expect((await boss.callOrThrow('getTeam')).invitations).toEqual([])
})
