import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { later, MovableClock } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { agencyWithPast, bytesOf, texts, type Past } from './test/helpers.ts'
import { verifyFile } from '../../operations/audit/verify-file.ts'

let server: TestServer
let past: Past
/** An API client without a session. */
let auditor: ApiClient

beforeAll(async () => {
  // No month begins before the post's day.
  server = await testServer({}, { clock: new MovableClock('2026-11-10T09:00:00Z') })
  past = await agencyWithPast(server)
  auditor = new ApiClient(server.url)
})
afterAll(() => server.remove())

async function link(scope: object = { kind: 'agency' }) {
  const issued = await past.caller.callOrThrow('issueAuditorLink', {
    body: { label: 'Yearly audit', scope, expiresAt: later(server.clock.now(), 86_400_000) },
  })
  return { ...issued, params: { token: issued.url.split('/').at(-1) ?? '' } }
}
const month = () => later(server.clock.now(), 86_400_000).slice(0, 7)

describe('Through a link, an auditor', () => {
  it("reads the agency's posts without an account", async () => {
    const { params } = await link()
    expect(await auditor.callOrThrow('openAuditorLink', { params })).toMatchObject({
      label: 'Yearly audit',
      agencyName: 'North Star',
      clientId: null,
      clients: [{ id: past.clientId, name: 'Blue Cup' }],
    })
    const { items, next } = await auditor.callOrThrow('searchAsAuditor', { params })
    expect(items.map(({ status, content, clientName }) => [status, content, clientName])).toEqual(
      texts
        .map((text, at) => [at === 1 ? 'deleted' : 'draft', at === 0 ? 'Second version' : text, 'Blue Cup'])
        .toReversed(),
    )
    expect(next).toBeNull()
    const history = await auditor.callOrThrow('getHistoryAsAuditor', {
      params: { ...params, id: past.postIds[0] ?? '' },
    })
    expect(history.map(({ type }) => type)).toEqual([
      'PostWritten',
      'PostContentRevised',
      'PostSubmitted',
      'PostApproved',
      'PostReturnedToDraft',
    ])
    const file = await auditor.ask('exportAsAuditor', { params })
    const jwks = JSON.parse((await auditor.get('/.well-known/jwks.json')).text)
    expect((await verifyFile(bytesOf(file.text), jwks)).problems).toEqual([])
  })

  it('sees no email address, even for users without a name [S74]', async () => {
    const { params } = await link()
    const { email } = await past.caller.callOrThrow('getUser')
    const asked = { params: { ...params, id: past.postIds[0] ?? '' } }
    expect(
      (await past.caller.callOrThrow('getPostHistory', { params: { id: past.postIds[0] ?? '' } }))[0]?.actor.name,
    ).toBe(email.split('@')[0])
    expect((await auditor.ask('getHistoryAsAuditor', asked)).text).not.toContain(email)
    expect((await auditor.callOrThrow('getHistoryAsAuditor', asked))[0]?.actor.name).toBe('A member of the agency')
  })

  it('searches by text, status and time, and at a past instant', async () => {
    const { params } = await link()
    const found = async (query: Readonly<Record<string, string>>) =>
      (await auditor.callOrThrow('searchAsAuditor', { params, query })).items.map(({ content }) => content)
    expect(await found({ text: 'CAFÉ' })).toEqual([texts[3]])
    expect(await found({ status: 'deleted' })).toEqual([texts[1]])
    const approved = (
      await auditor.callOrThrow('getHistoryAsAuditor', { params: { ...params, id: past.postIds[0] ?? '' } })
    ).find(({ type }) => type === 'PostApproved')
    const asOf = approved?.at ?? ''
    expect(await found({ asOf, status: 'approved' })).toEqual(['Second version'])
    expect(await found({ asOf, status: 'deleted' })).toEqual([])
    expect(
      (await auditor.callOrThrow('getCalendarAsAuditor', { params, query: { month: month(), asOf } })).map(
        ({ excerpt }) => excerpt,
      ),
    ).toEqual(['Second version'])
    expect(await auditor.callOrThrow('getCalendarAsAuditor', { params, query: { month: month() } })).toEqual([])
  })

  it("sees nothing outside the link's scope", async () => {
    const other = await past.caller.callOrThrow('addClient', { body: { name: 'Red Cup' } })
    const { params } = await link({ kind: 'client', clientId: other.id })
    expect((await auditor.callOrThrow('openAuditorLink', { params })).clients).toEqual([
      { id: other.id, name: 'Red Cup' },
    ])
    expect((await auditor.callOrThrow('searchAsAuditor', { params })).items).toEqual([])
    for (const ask of [
      auditor.ask('searchAsAuditor', { params, query: { client: past.clientId } }),
      auditor.ask('getHistoryAsAuditor', { params: { ...params, id: past.postIds[0] ?? '' } }),
      auditor.ask('getCalendarAsAuditor', { params, query: { month: month(), client: past.clientId } }),
      auditor.ask('exportAsAuditor', { params, query: { client: past.clientId } }),
    ]) {
      expect((await ask).status).toBe(404)
    }
    expect((await auditor.ask('exportAsAuditor', { params })).text).not.toContain(past.clientId)
    await past.caller.callOrThrow('removeClient', { params: { id: other.id } })
  })

  it('leaves a trace: the use of the link is recorded at most once an hour', async () => {
    const { params, id } = await link()
    for (let times = 0; times < 3; times++) await auditor.callOrThrow('searchAsAuditor', { params })
    server.clock.advance(3_700_000)
    await auditor.callOrThrow('openAuditorLink', { params })
    const used = async () => (await past.caller.callOrThrow('listAuditorLinks')).find((each) => each.id === id)?.uses
    await expect.poll(used).toBe(2)
  })

  it.each(['openAuditorLink', 'searchAsAuditor', 'exportAsAuditor'] as const)(
    'gets nothing once the link is revoked, expired or altered: %s',
    async (name) => {
      const [revoked, over, changed] = [await link(), await link(), await link()]
      await past.caller.callOrThrow('revokeAuditorLink', { params: { id: revoked.id } })
      expect(await auditor.ask(name, { params: revoked.params })).toMatchObject({
        status: 403,
        text: 'This link was withdrawn. Ask the agency for a new one.',
      })
      server.clock.advance(86_400_000)
      expect(await auditor.ask(name, { params: over.params })).toMatchObject({
        status: 403,
        text: 'This link has expired. Ask the agency for a new one.',
      })
      const token = changed.params.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      expect(await auditor.ask(name, { params: { token: `${token}x` } })).toMatchObject({
        status: 404,
        text: "This link doesn't exist.",
      })
      expect(await auditor.ask(name, { params: { token: 'nobody' } })).toMatchObject({
        status: 404,
        text: "This link doesn't exist.",
      })
    },
  )

  it('can change nothing: a link is no session', async () => {
    const { params } = await link()
    const pretending = new ApiClient(server.url)
    pretending.cookie = `socialai=${params.token}`
    expect((await pretending.ask('listClients')).status).toBe(401)
  })
})
