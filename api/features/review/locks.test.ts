/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { ApiClient } from '../../http/client.ts'
import { guestPassword, memberOf, tokenOf } from '../../testing/members.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { startSmtpServer, type TestSmtpServer } from '../mail/test/fake-smtp.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

let server: TestServer
let smtp: TestSmtpServer
let agency: Reviewed

beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await testServer({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_FROM: 'no-reply@social.example' })
  agency = await reviewedAgency(server)
  await agency.submit('Fresh coffee')
})
afterAll(async () => {
  await server.remove()
  await smtp.close()
})

/** The newest mail to an address that has what is sought. */
async function inMail(email: string, sought: RegExp): Promise<string> {
  const find = () =>
    smtp.received.findLast((mail) => mail.includes(`To: ${email}`) && sought.test(mail))?.match(sought)?.[1] ?? ''
  await expect.poll(find, patience).not.toBe('')
  return find()
}
const linkIn = /\/review#([\w-]{43})/
const codeIn = /^(\d{6})\r?$/m

async function mailed(body: object = {}, of = agency) {
  const contact = await of.contact('Nora')
  const issued = await of.caller.callOrThrow('issueReviewLink', {
    params: { id: of.clientId },
    body: { contacts: [contact.id], ...inThirtyDays(), ...body },
  })
  return { contact, issued, token: await inMail(contact.email, linkIn) }
}
const inThirtyDays = () => ({ expiresAt: new Date(Date.parse(server.clock.now()) + 30 * 86_400_000).toISOString() })

describe('A link that a passcode locks', () => {
  it('opens with it, and takes ten wrong ones an hour [S219]', async () => {
    const { token } = await agency.issue({ lock: 'passcode', passcode: 'sunrise-42' })
    const browser = reviewer(server)
    expect(await browser.look(token)).toEqual({
      state: 'locked',
      agency: { name: 'North Star', logoUrl: null, color: null },
      needs: 'passcode',
      address: null,
    })
    expect(await browser.problem('nameReviewer', { token, name: 'Nora' })).toEqual({ status: 403, type: 'link-locked' })
    const { session } = await browser.api.callOrThrow('unlockReview', { body: { token, passcode: 'sunrise-42' } })
    expect((await browser.open(token, { session })).posts).toHaveLength(1)
    const named = await browser.named(token, 'Nora', { session })
    expect((await browser.open(token, { session: named })).you).toMatchObject({ name: 'Nora', verified: 'named' })
    const tries = []
    for (let times = 0; times < 11; times++)
      tries.push((await browser.problem('unlockReview', { token, passcode: 'wrong one' })).status)
    expect(tries).toEqual([...Array<number>(10).fill(403), 429])
  })

  it('is opened by no session of another link', async () => {
    const locked = await agency.issue({ lock: 'passcode', passcode: 'sunrise-42' })
    const other = await agency.issue()
    const browser = reviewer(server)
    const session = await browser.named(other.token, 'Nora')
    expect(await browser.look(locked.token, { session })).toMatchObject({ state: 'locked' })
  })
})

describe('A mailed code', () => {
  it('opens a link once, and proves who acts', async () => {
    const { contact, issued, token } = await mailed({ lock: 'code' })
    expect(issued.sentTo).toEqual([{ contactId: contact.id, mailed: true, url: null }])
    const browser = reviewer(server)
    const seen = await browser.look(token)
    expect(seen).toMatchObject({ state: 'locked', needs: 'code', address: 'c…@example.com' })
    await browser.api.callOrThrow('askReviewCode', { body: { token } })
    const code = await inMail(contact.email, codeIn)
    const { session } = await browser.api.callOrThrow('unlockReview', { body: { token, code } })
    expect((await browser.open(token, { session })).you).toMatchObject({ name: 'Nora', verified: 'code' })
    expect(await browser.problem('unlockReview', { token, code })).toEqual({ status: 403, type: 'wrong-code' })
  })

  it('takes five tries and ten minutes [S220]', async () => {
    const { contact, token } = await mailed()
    const browser = reviewer(server)
    expect((await browser.open(token)).canVerify).toBe(true)
    await browser.api.callOrThrow('askReviewCode', { body: { token } })
    const code = await inMail(contact.email, codeIn)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let times = 0; times < 5; times++) await browser.problem('unlockReview', { token, code: wrong })
    expect(await browser.problem('unlockReview', { token, code })).toEqual({ status: 403, type: 'wrong-code' })
    await browser.api.callOrThrow('askReviewCode', { body: { token } })
    await expect
      .poll(() => smtp.received.filter((mail) => mail.includes(`To: ${contact.email}`)).length, patience)
      .toBe(3)
    const late = await inMail(contact.email, codeIn)
    server.clock.advance(10 * 60_000)
    expect((await browser.problem('unlockReview', { token, code: late })).status).toBe(403)
  })

  it('goes to contacts alone', async () => {
    const { token } = await agency.issue()
    expect(await reviewer(server).problem('askReviewCode', { token })).toEqual({
      status: 409,
      type: 'code-for-contacts',
    })
  })

  it('fulfils a step where own approval is refused, of a contact whom another member entered', async () => {
    const other = await reviewedAgency(server)
    await other.caller.callOrThrow('setApprovalPolicy', {
      params: { id: other.clientId },
      body: {
        steps: [{ id: '0195a000-0000-7000-8000-0000000000b1', name: 'Client', who: { kind: 'client' }, need: 'any' }],
        ownApproval: 'refused',
        timePart: { kind: 'free' },
      },
    })
    const writer = await memberOf(server, other.caller, 'writer')
    const byWriter = async (content: string) => {
      const body = { socialAccountId: other.accountId, content, status: 'pending' as const }
      return (await writer.caller.callOrThrow('writePost', { params: { id: other.clientId }, body })).id
    }
    const [first, second, own] = [await byWriter('First'), await byWriter('Second'), await other.submit('Own')]
    const { contact, token } = await mailed({}, other)
    const browser = reviewer(server)
    const { posts } = await browser.open(token)
    const approve = (postId: string, session?: string) => {
      const seenHash = posts.find(({ id }) => id === postId)?.hash
      return browser.problem('giveVerdict', { token, session, postId, seenHash, seenVersion: 1, verdict: 'approve' })
    }
    expect(await approve(first)).toEqual({ status: 409, type: 'code-needed' })
    const { token: ofEveryone } = await other.issue()
    const kim = await browser.api.callOrThrow('nameReviewer', { body: { token: ofEveryone, name: 'Kim' } })
    const [shown] = posts.filter(({ id }) => id === first)
    const refused = await browser.api.ask('giveVerdict', {
      body: {
        token: ofEveryone,
        session: kim.session,
        postId: first,
        seenHash: shown?.hash ?? '',
        seenVersion: 1,
        verdict: 'approve',
      },
    })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("by this link can't count here")])
    await browser.api.callOrThrow('askReviewCode', { body: { token } })
    const code = await inMail(contact.email, codeIn)
    const { session } = await browser.api.callOrThrow('unlockReview', { body: { token, code } })
    expect(await approve(first, session)).toEqual({ status: 200, type: null })
    expect((await other.caller.callOrThrow('getPost', { params: { id: first } })).status).toBe('approved')
    // The owner wrote this post, and entered the contact.
    expect(await approve(own, session)).toEqual({ status: 409, type: 'contact-of-author' })
    // A contact who joins the agency is a member from then on.
    const { link } = await other.caller.callOrThrow('inviteMember', {
      body: { email: contact.email, role: 'viewer', clients: 'all' },
    })
    await new ApiClient(server.url).callOrThrow('registerByInvitation', {
      body: { token: tokenOf(link), password: guestPassword },
    })
    expect(await approve(second, session)).toEqual({ status: 409, type: 'contact-of-author' })
  })
})
