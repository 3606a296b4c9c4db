import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { agencyWithPast, type Past } from './test/helpers.ts'

let server: TestServer
let past: Past

beforeAll(async () => {
  server = await testServer()
  past = await agencyWithPast(server)
})
afterAll(() => server.remove())

const inDays = (days: number) => later(server.clock.now(), days * 86_400_000)

describe("An auditor's link", () => {
  it('is shown once, and the address is stored nowhere', async () => {
    const { url, ...link } = await past.caller.callOrThrow('issueAuditorLink', {
      body: { label: 'Yearly audit', expiresAt: inDays(30) },
    })
    expect(url).toMatch(/^http:\/\/localhost:\d+\/audit\/[\w-]+~[\w-]+~[\w-]+$/)
    expect(link).toMatchObject({
      label: 'Yearly audit',
      scope: { kind: 'agency' },
      state: 'open',
      uses: 0,
      lastUsedAt: null,
    })
    const listed = await past.caller.ask('listAuditorLinks')
    expect(JSON.parse(listed.text)).toEqual([link])
    expect(listed.text).not.toContain(url.split('/').at(-1))
  })

  it('is issued once for a repeated request', async () => {
    const ask = { body: { label: 'Twice', expiresAt: inDays(3) }, headers: { 'Idempotency-Key': 'the-same' } }
    const [one, two] = [
      await past.caller.callOrThrow('issueAuditorLink', ask),
      await past.caller.callOrThrow('issueAuditorLink', ask),
    ]
    expect(two).toEqual(one)
  })

  it('is revoked at once', async () => {
    const { id } = await past.caller.callOrThrow('issueAuditorLink', {
      body: { label: 'Revoked', expiresAt: inDays(3) },
    })
    await past.caller.callOrThrow('revokeAuditorLink', { params: { id } })
    expect((await past.caller.callOrThrow('listAuditorLinks')).find((link) => link.id === id)).toMatchObject({
      state: 'revoked',
    })
  })

  it.each([
    [{ label: '', expiresAt: '2099-01-01T00:00:00Z' }, 400, 'Label: Required'],
    [{ label: 'No end' }, 400, 'Expires at: Required'],
    [{ label: 'Too long', expiresAt: '2099-01-01T00:00:00Z' }, 409, 'Choose an end that lies ahead, at most 366 days.'],
    [{ label: 'Over', expiresAt: '2020-01-01T00:00:00Z' }, 409, 'Choose an end that lies ahead, at most 366 days.'],
  ])('is refused with an explanation: %j', async (body, status, text) => {
    expect(await past.caller.ask('issueAuditorLink', { body })).toMatchObject({ status, text })
  })

  it("is limited to the agency's own clients", async () => {
    const expiresAt = inDays(3)
    const other = { kind: 'client', clientId: '0195a000-0000-7000-8000-00000000dead' }
    expect(
      await past.caller.ask('issueAuditorLink', { body: { label: 'Whose', scope: other, expiresAt } }),
    ).toMatchObject({ status: 404, text: "This client doesn't exist." })
    const scope = { kind: 'client', clientId: past.clientId }
    expect(
      await past.caller.callOrThrow('issueAuditorLink', { body: { label: 'Ours', scope, expiresAt } }),
    ).toMatchObject({
      scope,
    })
  })
})
