import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

let server: TestServer
let agency: Reviewed

beforeAll(async () => {
  server = await testServer()
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

async function logLength(): Promise<number> {
  let events = 0
  for await (const batch of server.commands.ports.events.readAll(null)) events += batch.length
  return events
}

describe('Through a review link, a client', () => {
  it('sees the pending posts alone, with what may be done', async () => {
    const pending = await agency.submit('Fresh coffee')
    await agency.write('Only a draft')
    const { token } = await agency.issue()
    const seen = await reviewer(server).open(token)
    expect(seen).toMatchObject({
      agency: { name: 'North Star', logoUrl: null, color: null },
      clientName: 'Blue Cup',
      timeZone: 'Europe/Berlin',
      may: ['approve', 'comment'],
      you: { name: null, verified: 'named' },
      canVerify: false,
      isPaused: false,
      total: 1,
      done: 0,
      next: null,
      posts: [
        { id: pending, content: 'Fresh coffee', accountName: 'Blue Cup', version: 1, status: 'pending', isStep: false },
      ],
    })
    expect(seen.posts[0]?.can).toEqual(['approve', 'changes', 'comment'])
    expect(JSON.stringify(seen)).not.toContain('Only a draft')
  })

  it('leaves no trace by looking: 50 looks append and write nothing [S215]', { tags: 'long' }, async () => {
    const { token } = await agency.issue()
    const before = await logLength()
    for (let times = 0; times < 50; times++) await reviewer(server).look(token)
    expect(await logLength()).toBe(before)
    const { posts } = await reviewer(server).open(token)
    const seen = posts.map(({ id, version }) => ({ postId: id, version }))
    for (let times = 0; times < 3; times++)
      await reviewer(server).api.callOrThrow('openReview', { body: { token, seen } })
    expect(await logLength()).toBe(before + 1)
    const listed = await agency.caller.callOrThrow('listReviewLinks', { params: { id: agency.clientId } })
    expect(listed[0]?.lastUsedAt).not.toBeNull()
  })

  it('gets one answer for tokens that are unknown or malformed [S216]', async () => {
    const answers = await Promise.all(
      ['A'.repeat(43), 'short', '', '💥'.repeat(20), 'A'.repeat(201)].map((token) =>
        reviewer(server).api.ask('lookAtReview', { body: { token } }),
      ),
    )
    for (const { status, text } of answers)
      expect({ status, text }).toEqual({ status: 404, text: "This link doesn't exist." })
  })

  it('is told in plain words that there is no version 0', async () => {
    const seen = [{ postId: '0195a000-0000-7000-8000-0000000000b1', version: 0 }]
    const { status, text } = await reviewer(server).api.ask('openReview', { body: { token: 'unknown', seen } })
    expect([status, text]).toEqual([400, expect.stringContaining('Versions are counted from 1')])
  })

  it('is told by no header where it came from, and is in no index [S217]', async () => {
    for (const token of [(await agency.issue()).token, 'unknown']) {
      const { headers } = await reviewer(server).api.ask('lookAtReview', { body: { token } })
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('X-Robots-Tag')).toBe('noindex')
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
  })

  it('is told whom to ask where no code can be mailed', async () => {
    const { token } = await agency.issue({ contacts: [(await agency.contact('Nora')).id] })
    const { status, text } = await reviewer(server).api.ask('askReviewCode', { body: { token } })
    expect([status, text]).toEqual([409, 'No code can be mailed from here. Please contact North Star.'])
  })

  it('is told when the link was revoked or is over, and does nothing through it any more', async () => {
    const [revoked, over] = [await agency.issue(), await agency.issue()]
    await agency.caller.callOrThrow('revokeReviewLink', { params: { id: revoked.id } })
    const browser = reviewer(server)
    expect(await browser.look(revoked.token)).toEqual({
      state: 'revoked',
      agency: { name: 'North Star', logoUrl: null, color: null },
    })
    expect(await browser.problem('openReview', { token: revoked.token, seen: [] })).toEqual({
      status: 403,
      type: 'link-revoked',
    })
    server.clock.advance(31 * 86_400_000)
    expect(await browser.look(over.token)).toMatchObject({ state: 'expired' })
    expect(await browser.problem('nameReviewer', { token: over.token, name: 'Nora' })).toMatchObject({
      type: 'link-expired',
    })
    server.clock.advance(-31 * 86_400_000)
  })
})
