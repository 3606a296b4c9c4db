/**
 * Requests that random values can't make: what was mailed or computed for one person, or needs another one who is
 * still in a team.
 */
import { v7 as uuidv7 } from 'uuid'
import { Authenticator } from '../../features/auth/test/authenticator.ts'
import { Browser, newEmail, person, resetToken } from '../../features/auth/test/helpers.ts'
import { letter, tokenIn } from '../../features/auth/test/letters.ts'
import type { LyingProvider } from '../../features/auth/oidc/test/lying-provider.ts'
import {
  addressToken,
  codeOf,
  confirmedPerson,
  halfSignedIn,
  personWithApp,
} from '../../features/auth/test/second-factor.ts'
import { reviewedAgency, reviewer } from '../../features/review/test/helpers.ts'
import { ApiClient } from '../../http/client.ts'
import { guestEmail, guestPassword, memberOf, tokenOf } from '../members.ts'
import { signedUp, type TestServer } from '../server.ts'
import { password, type Person } from './people.ts'

/** A request that is to be accepted, unless its ceremony says otherwise. */
export interface Prepared {
  readonly cookie: string
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
}

/** @param signOn the provider of single sign-on */
type Ceremony = (server: TestServer, me: Person, signOn: LyingProvider) => Promise<Prepared | readonly Prepared[]>

const cookieOf = ({ cookie, device, pending, visit }: Browser) =>
  [cookie, device, pending, visit].filter(Boolean).join('; ')
const proof = { password }

async function withPasskey(server: TestServer) {
  const { browser, email } = await confirmedPerson(server)
  const key = new Authenticator(server.url)
  const response = key.create(await browser.callOrThrow('beginPasskey', { body: proof }))
  const { passkey } = await browser.callOrThrow('addPasskey', { body: { name: 'Laptop', response } })
  return { browser, email, key, id: passkey.id }
}

const invited = ({ caller }: Person, email = guestEmail()) =>
  caller.callOrThrow('inviteMember', { body: { email, role: 'viewer', clients: 'all' } })

const ofMember =
  (bodyOf: (memberId: string) => object | undefined): Ceremony =>
  async (server, { caller }) => {
    const { memberId: id } = await memberOf(server, caller, 'writer')
    const body = bodyOf(id)
    return { cookie: caller.cookie, params: { id }, ...(body === undefined ? {} : { body }) }
  }

const onComment =
  (bodyOf?: () => object): Ceremony =>
  async (_, { caller }) => {
    const [account] = await caller.callOrThrow('listAllSocialAccounts')
    const post = { socialAccountId: account?.id ?? '', content: 'To be commented' }
    const { id } = await caller.callOrThrow('writePost', { params: { id: account?.clientId ?? '' }, body: post })
    const { textHash } = await caller.callOrThrow('listComments', { params: { id } })
    const anchor = { kind: 'range', from: 0, to: 2, contentHash: textHash }
    const suggestion = { text: 'To be taken over', contentHash: textHash }
    const commentId = uuidv7()
    const body = { commentId, text: 'Lovely', anchor, suggestion }
    await caller.callOrThrow('postComment', { params: { id }, body })
    return { cookie: caller.cookie, params: { id, commentId }, ...(bodyOf && { body: bodyOf() }) }
  }

const onOwnComment =
  (more: object = {}): Ceremony =>
  async (server) => {
    const { token, postId } = await reviewed(server, { may: ['suggest', 'comment'] })
    const browser = reviewer(server)
    const session = await browser.named(token, 'Nora')
    const { posts } = await browser.open(token, { session })
    const asked = { token, session, postId, commentId: uuidv7() }
    const suggestion = { text: 'Fresher coffee', contentHash: posts[0]?.textHash ?? '' }
    await browser.api.callOrThrow('commentAsReviewer', { body: { ...asked, suggestion } })
    return { cookie: '', body: { ...asked, ...more } }
  }

const ofInvitation: Ceremony = async (_, me) => ({
  cookie: me.caller.cookie,
  params: { id: (await invited(me)).id },
})

async function linked(server: TestServer, signOn: LyingProvider): Promise<Browser> {
  const { browser, email } = await confirmedPerson(server)
  const { url } = await browser.callOrThrow('linkOidc', { body: proof })
  signOn.person = { sub: email, email, email_verified: true }
  await browser.ask('oidcCallback', { query: signOn.signIn(url) })
  return browser
}

/** A client's post on a link for everyone, and the session of a person who gave a name. */
async function reviewed(server: TestServer, link: object = {}, isApproved = false) {
  const agency = await reviewedAgency(server)
  const postId = await agency.submit('Fresh coffee')
  if (isApproved)
    await agency.caller.callOrThrow('changePost', { params: { id: postId }, body: { status: 'approved' } })
  const { id, token } = await agency.issue({ scope: { kind: 'posts', postIds: [postId] }, ...link })
  return { agency, id, token, postId }
}

/** By the operation's id. */
export const ceremonies: Readonly<Record<string, Ceremony>> = {
  async endSession(server, { caller, email }) {
    await new ApiClient(server.url).callOrThrow('login', { body: { email, password } })
    const other = (await caller.callOrThrow('listSessions')).find(({ isThis }) => !isThis)
    return { cookie: caller.cookie, params: { id: other?.id ?? '' } }
  },
  async confirmAddress(server) {
    const { browser, email } = await person(server)
    return { cookie: cookieOf(browser), body: { token: await addressToken(server, browser, email) } }
  },
  async confirmEmail(server) {
    const { browser } = await person(server)
    const after = newEmail()
    await browser.callOrThrow('changeEmail', { body: { email: after, password } })
    return { cookie: '', body: { token: tokenIn(await letter(server, after, /^Confirm/)) } }
  },
  async resetPassword(server) {
    const { email } = await person(server)
    return { cookie: '', body: { token: await resetToken(server, email), password: 'another password' } }
  },
  async beginTotp(server) {
    return { cookie: cookieOf((await confirmedPerson(server)).browser), body: proof }
  },
  async beginPasskey(server) {
    return { cookie: cookieOf((await confirmedPerson(server)).browser), body: proof }
  },
  async confirmTotp(server) {
    const { browser } = await confirmedPerson(server)
    const { secret } = await browser.callOrThrow('beginTotp', { body: proof })
    return { cookie: cookieOf(browser), body: { code: codeOf(server, secret) } }
  },
  async renewRecoveryCodes(server) {
    return { cookie: cookieOf((await personWithApp(server)).browser), body: proof }
  },
  async getSignIn(server) {
    return { cookie: cookieOf(await halfSignedIn(server, (await personWithApp(server)).email)) }
  },
  async completeSignIn(server) {
    const { email, secret } = await personWithApp(server)
    return { cookie: cookieOf(await halfSignedIn(server, email)), body: { code: codeOf(server, secret, 1) } }
  },
  async addPasskey(server) {
    const { browser } = await confirmedPerson(server)
    const options = await browser.callOrThrow('beginPasskey', { body: proof })
    const response = new Authenticator(server.url).create(options)
    return { cookie: cookieOf(browser), body: { name: 'Laptop', response } }
  },
  async renamePasskey(server) {
    const { browser, id } = await withPasskey(server)
    return { cookie: cookieOf(browser), params: { id }, body: { name: 'Old laptop' } }
  },
  async removePasskey(server) {
    const { browser, id } = await withPasskey(server)
    return { cookie: cookieOf(browser), params: { id }, body: proof }
  },
  async usePasskey(server) {
    const { key } = await withPasskey(server)
    const browser = new Browser(server.url)
    const response = key.get(await browser.callOrThrow('askPasskey', { body: { step: 'first' } }))
    return { cookie: cookieOf(browser), body: { response } }
  },
  resendInvitation: ofInvitation,
  withdrawInvitation: ofInvitation,
  changeMember: ofMember(() => ({ role: 'viewer', clients: 'all' })),
  getMemberRemoval: ofMember(() => undefined),
  removeMember: ofMember(() => ({ links: 'kept' })),
  offerOwnership: ofMember((memberId) => ({ memberId })),
  async resetMemberFactors(server, me) {
    const { browser, email } = await personWithApp(server)
    await browser.callOrThrow('acceptInvitation', { body: { token: tokenOf((await invited(me, email)).link) } })
    const { memberId: id } = (await browser.callOrThrow('getAgency')).me
    return { cookie: me.caller.cookie, params: { id }, body: proof }
  },
  async leaveTeam(server, me) {
    return { cookie: (await memberOf(server, me.caller, 'writer')).caller.cookie }
  },
  async lookAtInvitation(_, me) {
    return { cookie: '', body: { token: tokenOf((await invited(me)).link) } }
  },
  async acceptInvitation(server, me) {
    const guest = await signedUp(server)
    const { email } = await guest.callOrThrow('getUser')
    return { cookie: guest.cookie, body: { token: tokenOf((await invited(me, email)).link) } }
  },
  async registerByInvitation(_, me) {
    return { cookie: '', body: { token: tokenOf((await invited(me)).link), password: guestPassword } }
  },
  async revokeReviewLink(server) {
    const { agency, id } = await reviewed(server)
    return { cookie: agency.caller.cookie, params: { id } }
  },
  async listReviewers(server) {
    const { agency, id } = await reviewed(server)
    return { cookie: agency.caller.cookie, params: { id } }
  },
  async eraseReviewer(server) {
    const { agency, token } = await reviewed(server)
    const browser = reviewer(server)
    const { you } = await browser.open(token, { session: await browser.named(token, 'Nora') })
    return { cookie: agency.caller.cookie, params: { id: you.id ?? '' } }
  },
  async lookAtReview(server) {
    return { cookie: '', body: { token: (await reviewed(server)).token } }
  },
  async openReview(server) {
    const { token, postId } = await reviewed(server)
    return { cookie: '', body: { token, seen: [{ postId, version: 1 }] } }
  },
  async nameReviewer(server) {
    return { cookie: '', body: { token: (await reviewed(server)).token, name: 'Nora' } }
  },
  async unlockReview(server) {
    const { token } = await reviewed(server, { lock: 'passcode', passcode: 'sunrise-42' })
    return { cookie: '', body: { token, passcode: 'sunrise-42' } }
  },
  async giveVerdict(server) {
    const { token, postId } = await reviewed(server)
    const browser = reviewer(server)
    const session = await browser.named(token, 'Nora')
    const { posts } = await browser.open(token, { session })
    const seen = { seenHash: posts[0]?.hash, seenVersion: 1 }
    return { cookie: '', body: { token, session, postId, verdict: 'approve', ...seen } }
  },
  async holdReviewedPost(server) {
    const { token, postId } = await reviewed(server, { may: ['hold'] }, true)
    return { cookie: '', body: { token, session: await reviewer(server).named(token, 'Nora'), postId } }
  },
  async listOwnReceipts(server) {
    const { token, postId } = await reviewed(server)
    return { cookie: '', body: { token, session: await reviewer(server).named(token, 'Nora'), postId } }
  },
  async listReviewComments(server) {
    const { token, postId } = await reviewed(server)
    return { cookie: '', body: { token, postId } }
  },
  async commentAsReviewer(server) {
    const { token, postId } = await reviewed(server)
    const session = await reviewer(server).named(token, 'Nora')
    const commentId = '0195a000-0000-7000-8000-0000000000c3'
    return { cookie: '', body: { token, session, postId, commentId, text: 'Could we name the hours?' } }
  },
  editReviewComment: onOwnComment({ text: 'Could we name the hours, please?' }),
  removeReviewComment: onOwnComment(),
  async linkOidc(server) {
    return { cookie: cookieOf((await confirmedPerson(server)).browser), body: proof }
  },
  async confirmWithOidc(server, _, signOn) {
    return { cookie: cookieOf(await linked(server, signOn)) }
  },
  async oidcCallback(server, _, signOn) {
    const browser = new Browser(server.url)
    const url = (await browser.ask('signInWithOidc')).headers.get('location') ?? ''
    // The second one is to be refused: most wrong requests to a redirect are redirected too.
    return [
      { cookie: cookieOf(browser), query: signOn.signIn(url) },
      { cookie: '', query: { state: 'x'.repeat(201) } },
    ]
  },
  /** To be refused. */
  async oauthCallback() {
    return { cookie: '', params: { platform: 'myspace' } }
  },
  async skipStep(server, { caller }) {
    return { ...(await openStep(server, caller)), body: { reason: 'On leave' } }
  },
  async reassignStep(server, { caller }) {
    const { members } = await caller.callOrThrow('getTeam')
    const owner = members.find(({ role }) => role === 'owner')
    return { ...(await openStep(server, caller)), body: { memberIds: [owner?.id], reason: 'On leave' } }
  },
  editComment: onComment(() => ({ text: 'Even better' })),
  removeComment: onComment(),
  takeOverSuggestion: onComment(),
  getCommentedVersion: onComment(),
  async chooseAgency(_, { caller }) {
    const [{ agencyId } = { agencyId: '' }] = await caller.callOrThrow('listAgencies')
    return { cookie: caller.cookie, body: { agencyId } }
  },
}

/** A post whose step waits for an admin. */
async function openStep(server: TestServer, caller: ApiClient) {
  const [account] = await caller.callOrThrow('listAllSocialAccounts')
  const { caller: writer } = await memberOf(server, caller, 'writer')
  const params = { id: account?.clientId ?? '' }
  const stepId = '0195a000-0000-7000-8000-0000000000b1'
  const none = { steps: [], ownApproval: 'agency', timePart: { kind: 'free' } }
  const step = { id: stepId, name: 'Legal', who: { kind: 'role', role: 'admin' }, need: 'any' }
  await caller.callOrThrow('setApprovalPolicy', { params, body: { ...none, steps: [step] } })
  const body = { socialAccountId: account?.id ?? '', content: 'Waits for Legal', status: 'pending' }
  const { id } = await writer.callOrThrow('writePost', { params, body })
  await caller.callOrThrow('setApprovalPolicy', { params, body: none })
  return { cookie: caller.cookie, params: { id, stepId } }
}
