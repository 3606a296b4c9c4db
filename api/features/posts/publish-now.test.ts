import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { MovableClock } from '../../core/clock.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({}, { clock: new MovableClock('2026-03-02T10:00:00.000Z') })
})
afterAll(() => server.remove())

async function writer() {
  const caller = await owner(server)
  const { clientId, accountId: socialAccountId } = await brand(caller)
  const write = (status: 'draft' | 'pending' | 'scheduled', more: { readonly scheduledFor?: string } = {}) =>
    caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId, content: `A ${status} text`, status, ...more },
    })
  const post = (id: string) => caller.callOrThrow('getPost', { params: { id } })
  return { caller, accountId: socialAccountId, write, post }
}

describe('Publish now', () => {
  it.each(['draft', 'scheduled'] as const)('sends a %s post at once [P11.10]', async (status) => {
    const { caller, write, post } = await writer()
    const { id, can } = await write(status)
    expect(can).toContain('publish-now')
    const reply = await caller.callOrThrow('publishPost', { params: { id } })
    expect(reply.scheduledFor?.slice(0, 16)).toBe(server.clock.now().slice(0, 16))
    await vi.waitFor(async () => expect(await post(id)).toMatchObject({ status: 'published' }), patience)
  })

  it('is refused in plain words for a post that waits for review [P11.11]', async () => {
    const { caller, write } = await writer()
    const { id, can } = await write('pending')
    expect(can).not.toContain('publish-now')
    const { status, text } = await caller.ask('publishPost', { params: { id } })
    expect([status, text]).toEqual([
      409,
      'Only a post that is a draft, approved or scheduled can be published now. This one is pending review.',
    ])
  })

  it('is refused for a revision that was changed since it was read', async () => {
    const { caller, write, post } = await writer()
    const { id, revision } = await write('draft')
    await caller.callOrThrow('changePost', { params: { id }, body: { content: 'Other words' } })
    const { status } = await caller.ask('publishPost', { params: { id }, headers: { 'If-Match': `"${revision}"` } })
    expect(status).toBe(412)
    expect(await post(id)).toMatchObject({ status: 'draft' })
  })
})

describe('The next free slot of an account', () => {
  it('is what an approval then takes [P3.2]', async () => {
    const { caller, accountId, write } = await writer()
    const { at } = await caller.callOrThrow('getNextSlot', { params: { id: accountId } })
    const { id } = await write('pending')
    const approved = await caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
    expect(approved.scheduledFor).toBe(at)
  })
  it("of another agency's account is not found", async () => {
    const { accountId } = await writer()
    const other = await owner(server)
    expect((await other.ask('getNextSlot', { params: { id: accountId } })).status).toBe(404)
  })
})
