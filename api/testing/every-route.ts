/** A valid request for every route there is, with what its ids are of: a route without one doesn't compile. */
import { v7 as uuidv7 } from 'uuid'
import { ApiClient } from '../http/client.ts'
import { later } from '../core/clock.ts'
import { routes, type RouteName } from '../contract/index.ts'
import { brand } from './server.ts'
import type { Clock } from '../core/clock.ts'

export interface Things {
  readonly clientId: string
  readonly accountId: string
  readonly postId: string
  readonly linkId: string
  readonly scheduleId: string
  readonly memberId: string
  readonly invitationId: string
  readonly reviewLinkId: string
  /** Of a comment on the post. */
  readonly commentId: string
  readonly reviewerId: string
}

interface Row {
  /** What each id in the path is of. */
  readonly params?: Readonly<Record<string, keyof Things>>
  /** Ids in the query or the body, and what they are of. */
  readonly query?: Readonly<Record<string, keyof Things>>
  readonly ids?: Readonly<Record<string, keyof Things>>
  /** The rest of a valid request. */
  readonly body?: Readonly<Record<string, unknown>>
  /** What is sent as it is. */
  readonly file?: Blob
  readonly fixed?: Readonly<Record<string, string>>
}

const client = { params: { id: 'clientId' } } as const
const account = { params: { id: 'accountId' } } as const
const schedule = { params: { id: 'scheduleId' } } as const
export const daily = { frequency: 'daily', preferredTimes: [{ day: 'every', time: '09:00' }] } as const
const post = { params: { id: 'postId' } } as const
const comment = { params: { id: 'postId', commentId: 'commentId' } } as const

export const rows: Readonly<Record<RouteName, Row>> = {
  getUser: {},
  changeOwnName: { body: { firstName: 'Ada', lastName: 'Lovelace' } },
  login: { body: { email: 'nobody@example.com', password: 'x' } },
  register: { body: { email: 'someone@example.com', password: 'correct horse' } },
  logout: {},
  changePassword: { body: { currentPassword: 'wrong', newPassword: 'correct horse' } },
  forgotPassword: { body: { email: 'nobody@example.com' } },
  resetPassword: { body: { token: 'A'.repeat(43), password: 'correct horse' } },
  changeEmail: { body: { email: 'someone-else@example.com', password: 'wrong' } },
  confirmEmail: { body: { token: 'A'.repeat(43) } },
  signOutEverywhere: {},
  listSessions: {},
  endSession: { fixed: { id: 'A'.repeat(22) } },
  endOtherSessions: {},
  askAddressLink: {},
  confirmAddress: { body: { token: 'A'.repeat(43) } },
  getFactors: {},
  beginTotp: { body: { password: 'wrong' } },
  confirmTotp: { body: { code: '123456' } },
  removeTotp: { body: { password: 'wrong' } },
  renewRecoveryCodes: { body: { password: 'wrong' } },
  beginPasskey: { body: { password: 'wrong' } },
  addPasskey: {
    body: {
      name: 'Mine',
      response: { id: 'A', rawId: 'A', type: 'public-key', response: { clientDataJSON: 'A', attestationObject: 'A' } },
    },
  },
  renamePasskey: { fixed: { id: 'A'.repeat(22) }, body: { name: 'Mine' } },
  removePasskey: { fixed: { id: 'A'.repeat(22) }, body: { password: 'wrong' } },
  askPasskey: { body: { step: 'first' } },
  usePasskey: {
    body: {
      response: {
        id: 'A',
        rawId: 'A',
        type: 'public-key',
        response: { clientDataJSON: 'A', authenticatorData: 'A', signature: 'A' },
      },
    },
  },
  signInWithOidc: {},
  linkOidc: { body: { password: 'wrong' } },
  confirmWithOidc: {},
  oidcCallback: { fixed: { state: 'A'.repeat(43), code: 'A' } },
  unlinkOidc: { body: { password: 'wrong' } },
  getSignIn: {},
  completeSignIn: { body: { code: '123456' } },
  getAgency: {},
  openAgency: { body: { name: 'Other', email: 'other@example.com' } },
  changeAgency: { body: { timeZone: 'Asia/Tokyo' } },
  brandAgency: { body: { logoUrl: null, color: '#1f6f54' } },
  // Lifted already, so that the other rows go on.
  requireSecondFactor: { body: { isRequired: false } },
  getDashboard: {},
  getAttention: {},
  listAttention: { fixed: { kind: 'pending' } },
  openCheckout: {},
  openPortal: {},
  listInvoices: {},
  refreshSubscription: {},
  listClients: {},
  addClient: { body: { name: 'New' } },
  getClient: client,
  reviseClient: { ...client, body: { name: 'Changed' } },
  removeClient: client,
  listSocialAccounts: client,
  listAllSocialAccounts: {},
  addSocialAccount: { ...client, body: { platform: 'linkedin', accountName: 'Mine' } },
  connectNewAccount: { ...client, fixed: { platform: 'facebook' } },
  changeSocialAccount: { ...account, body: { accountName: 'Mine' } },
  removeSocialAccount: account,
  connectSocialAccount: account,
  disconnectSocialAccount: account,
  getNextSlot: account,
  listProfileChoices: { ...account, fixed: { choice: 'A'.repeat(22) } },
  chooseProfile: { ...account, fixed: { choice: 'A'.repeat(22) }, body: { remoteId: 'page-1' } },
  oauthCallback: { fixed: { platform: 'facebook' } },
  listPosts: client,
  countPosts: client,
  listAllPosts: {},
  countAllPosts: {},
  writePost: { ...client, ids: { socialAccountId: 'accountId' }, body: { content: 'Mine now' } },
  writePostGroup: {
    ...client,
    body: { content: 'Mine now', posts: [{ socialAccountId: '0195a000-0000-7000-8000-00000000dead' }] },
  },
  getPost: post,
  changePost: { ...post, body: { content: 'Mine now' } },
  deletePost: post,
  resolvePost: { ...post, body: { live: false, attemptId: '0195a000-0000-7000-8000-00000000dead' } },
  publishPost: post,
  skipStep: { ...post, fixed: { stepId: '0195a000-0000-7000-8000-0000000000b1' }, body: { reason: 'On leave' } },
  reassignStep: {
    ...post,
    fixed: { stepId: '0195a000-0000-7000-8000-0000000000b1' },
    body: { memberIds: ['0195a000-0000-7000-8000-00000000dead'], reason: 'On leave' },
  },
  listComments: post,
  postComment: { ...post, body: { commentId: '0195a000-0000-7000-8000-0000000000c2', text: 'Lovely' } },
  editComment: { ...comment, body: { text: 'Even better' } },
  removeComment: comment,
  takeOverSuggestion: comment,
  getCommentedVersion: comment,
  getApprovalPolicy: client,
  setApprovalPolicy: { ...client, body: { steps: [], ownApproval: 'agency', timePart: { kind: 'free' } } },
  listContacts: client,
  addContact: { ...client, body: { name: 'Nora Lind', email: 'nora@example.com' } },
  removeContact: { ...client, fixed: { contactId: '0195a000-0000-7000-8000-0000000000c1' } },
  retryPost: { ...post, body: {} },
  releasePost: { ...post, body: {} },
  releaseHeldPosts: {},
  // Its answer is 200 with a result for each: `posts/review.test.ts` has what other agencies' are told.
  reviewPosts: { body: { ids: ['0195a000-0000-7000-8000-00000000dead'], status: 'approved' } },
  readImportHeader: { ...client, file: new Blob(['content,platform\nMine now,facebook'], { type: 'text/csv' }) },
  importPosts: { ...client, file: new Blob(['content,platform\nMine now,facebook'], { type: 'text/csv' }) },
  getPostHistory: post,
  getReceipts: post,
  getPostDelivery: post,
  generateContent: { ids: { clientId: 'clientId' }, body: { platform: 'facebook', topic: 'Spring' } },
  getCalendar: { query: { client: 'clientId' }, fixed: { month: '2026-03' } },
  uploadImage: {},
  convertImage: { fixed: { hash: 'a'.repeat(64) } },
  listSchedules: client,
  addSchedule: { ...client, ids: { socialAccountId: 'accountId' }, body: daily },
  previewSchedule: { ...client, ids: { socialAccountId: 'accountId' }, body: daily },
  changeSchedule: { ...schedule, body: { isActive: false } },
  removeSchedule: schedule,
  retrySlots: { ...schedule, body: { slots: ['2026-03-02T09:00:00.000Z'] } },
  listAnalytics: {},
  getAnalyticsPeriod: { query: { client: 'clientId' }, fixed: { from: '2026-03-01', to: '2026-03-31' } },
  listAnalyticsPosts: { query: { client: 'clientId' } },
  exportAnalytics: { query: { client: 'clientId' }, fixed: { of: 'posts' } },
  seedAnalytics: {},
  removeSampleData: {},
  getNews: {},
  countNews: { fixed: { since: 'A'.repeat(100) } },
  getAuditAbout: {},
  exportAudit: { query: { client: 'clientId' } },
  listAuditCheckpoints: {},
  searchAudit: { query: { client: 'clientId' } },
  // A link is its own permission: `audit/auditor.test.ts` has what each opens.
  openAuditorLink: { fixed: { token: 'nobody' } },
  searchAsAuditor: { query: { client: 'clientId' }, fixed: { token: 'nobody' } },
  getHistoryAsAuditor: { params: { id: 'postId' }, fixed: { token: 'nobody' } },
  getCalendarAsAuditor: { query: { client: 'clientId' }, fixed: { token: 'nobody', month: '2026-03' } },
  exportAsAuditor: { query: { client: 'clientId' }, fixed: { token: 'nobody' } },
  listAuditorLinks: {},
  issueAuditorLink: { body: { label: 'Audit', expiresAt: '2099-01-01T00:00:00Z' } },
  revokeAuditorLink: { params: { id: 'linkId' } },
  listReviewLinks: client,
  issueReviewLink: { ...client, body: { anyone: true, expiresAt: '2099-01-01T00:00:00Z' } },
  listReviewers: { params: { id: 'reviewLinkId' } },
  eraseReviewer: { params: { id: 'reviewerId' } },
  revokeReviewLink: { params: { id: 'reviewLinkId' } },
  // A link is its own permission: `review/review.test.ts` has what each shows.
  lookAtReview: { body: { token: 'A'.repeat(43) } },
  openReview: { body: { token: 'A'.repeat(43), seen: [] } },
  nameReviewer: { body: { token: 'A'.repeat(43), name: 'Nora' } },
  askReviewCode: { body: { token: 'A'.repeat(43) } },
  unlockReview: { body: { token: 'A'.repeat(43), passcode: 'wrong one' } },
  giveVerdict: {
    ids: { postId: 'postId' },
    body: { token: 'A'.repeat(43), seenHash: 'v1:0', seenVersion: 1, verdict: 'approve' },
  },
  holdReviewedPost: { ids: { postId: 'postId' }, body: { token: 'A'.repeat(43) } },
  listOwnReceipts: { ids: { postId: 'postId' }, body: { token: 'A'.repeat(43) } },
  listReviewComments: { ids: { postId: 'postId' }, body: { token: 'A'.repeat(43) } },
  commentAsReviewer: {
    ids: { postId: 'postId' },
    body: { token: 'A'.repeat(43), commentId: '0195a000-0000-7000-8000-0000000000c3', text: 'Lovely' },
  },
  editReviewComment: {
    ids: { postId: 'postId', commentId: 'commentId' },
    body: { token: 'A'.repeat(43), text: 'Lovelier' },
  },
  removeReviewComment: { ids: { postId: 'postId', commentId: 'commentId' }, body: { token: 'A'.repeat(43) } },
  getUsage: {},
  getTeam: {},
  changeTeam: { body: { ownApproval: 'refused' } },
  inviteMember: { body: { email: 'new@example.com', role: 'writer', clients: 'all' } },
  resendInvitation: { params: { id: 'invitationId' } },
  withdrawInvitation: { params: { id: 'invitationId' } },
  changeMember: { params: { id: 'memberId' }, body: { role: 'viewer', clients: 'all' } },
  resetMemberFactors: { params: { id: 'memberId' }, body: { password: 'correct horse' } },
  getMemberRemoval: { params: { id: 'memberId' } },
  removeMember: { params: { id: 'memberId' }, body: { links: 'kept' } },
  leaveTeam: {},
  offerOwnership: { ids: { memberId: 'memberId' } },
  acceptOwnership: {},
  declineOwnership: {},
  lookAtInvitation: { body: { token: 'A'.repeat(43) } },
  acceptInvitation: { body: { token: 'A'.repeat(43) } },
  registerByInvitation: { body: { token: 'A'.repeat(43), password: 'correct horse' } },
  listAgencies: {},
  chooseAgency: { body: { agencyId: '0195a000-0000-7000-8000-00000000dead' } },
}

export const names = Object.keys(routes) as RouteName[]
export const withIds = names.filter((name) => rows[name].params ?? rows[name].ids ?? rows[name].query)
export const unknown: Things = {
  clientId: '0195a000-0000-7000-8000-00000000dead',
  accountId: '0195a000-0000-7000-8000-00000000dead',
  postId: '0195a000-0000-7000-8000-00000000dead',
  linkId: '0195a000-0000-7000-8000-00000000dead',
  scheduleId: '0195a000-0000-7000-8000-00000000dead',
  memberId: '0195a000-0000-7000-8000-00000000dead',
  invitationId: '0195a000-0000-7000-8000-00000000dead',
  reviewLinkId: '0195a000-0000-7000-8000-00000000dead',
  commentId: '0195a000-0000-7000-8000-00000000dead',
  reviewerId: '0195a000-0000-7000-8000-00000000dead',
}
export const misshapen: Things = {
  clientId: 'x',
  accountId: "1' or '1'='1",
  postId: '../../etc',
  linkId: '{}',
  scheduleId: '%00',
  memberId: '0',
  invitationId: "'",
  reviewLinkId: '..',
  commentId: '[]',
  reviewerId: "'",
}

/** Where a route takes ids: the names of its parameters, wherever they are sent. */
export const idsOf = (name: RouteName): string[] =>
  Object.keys({ ...rows[name].params, ...rows[name].query, ...rows[name].ids })

/** The request with the ids of these things. @param others instead, by parameter */
export function request(name: RouteName, things: Things, others: Readonly<Record<string, string>> = {}) {
  const { params = {}, query = {}, ids = {}, body, file, fixed = {} } = rows[name]
  const fill = (wanted: Readonly<Record<string, keyof Things>>) =>
    Object.fromEntries(Object.entries(wanted).map(([key, of]) => [key, others[key] ?? things[of]]))
  const { method } = routes[name]
  const sent = { ...body, ...fill(ids) }
  return {
    params: { ...fixed, ...fill(params), ...(others['token'] === undefined ? {} : { token: others['token'] }) },
    query: { ...fixed, ...fill(query) },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: file ?? sent }),
  }
}

/** What a parameter's id is of. */
export function thingAt(name: RouteName, parameter: string): keyof Things {
  const { params, query, ids } = rows[name]
  const thing = { ...params, ...query, ...ids }[parameter]
  if (thing === undefined) throw new Error(`${name} has no id ${parameter}`)
  return thing
}

/** One of each, of a new client. */
export async function thingsOf(caller: ApiClient, server: { readonly clock: Clock }): Promise<Things> {
  const { clientId, accountId } = await brand(caller)
  const body = { socialAccountId: accountId, content: 'A secret plan' }
  const { id: postId } = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
  const { id: scheduleId } = await caller.callOrThrow('addSchedule', {
    params: { id: clientId },
    body: { socialAccountId: accountId, ...daily },
  })
  const { id: linkId } = await caller.callOrThrow('issueAuditorLink', {
    body: { label: 'Audit', expiresAt: later(server.clock.now(), 86_400_000) },
  })
  const { id: invitationId } = await caller.callOrThrow('inviteMember', {
    body: { email: `guest-of-${clientId}@example.com`, role: 'writer', clients: [clientId] },
  })
  const { id: reviewLinkId, url } = await caller.callOrThrow('issueReviewLink', {
    params: { id: clientId },
    body: { anyone: true, expiresAt: later(server.clock.now(), 86_400_000) },
  })
  // A person who reviews by the link.
  const token = url?.split('#')[1] ?? ''
  const { session } = await caller.callOrThrow('nameReviewer', { body: { token, name: `Reviewer of ${clientId}` } })
  const seen = await caller.callOrThrow('lookAtReview', { body: { token, session } })
  const reviewerId = seen.state === 'open' ? (seen.you.id ?? '') : ''
  const { memberId } = (await caller.callOrThrow('getAgency')).me
  const { textHash } = await caller.callOrThrow('listComments', { params: { id: postId } })
  const commentId = uuidv7()
  const anchor = { kind: 'range', from: 0, to: 1, contentHash: textHash }
  const suggestion = { text: 'A better plan', contentHash: textHash }
  await caller.callOrThrow('postComment', {
    params: { id: postId },
    body: { commentId, text: 'A secret word', anchor, suggestion },
  })
  return {
    clientId,
    accountId,
    postId,
    scheduleId,
    linkId,
    memberId,
    invitationId,
    reviewLinkId,
    commentId,
    reviewerId,
  }
}
