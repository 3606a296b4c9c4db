/** Random commands of every kind for property tests, with few enough ids and texts to collide. */
import * as fc from 'fast-check'
import { frequencies, type ClientCommand } from '../client/commands.ts'
import { providerStatuses, type AgencyCommand, type ClientChanges } from '../agency/commands.ts'
import { givenRoles, ownApprovals, type ClientScope } from '../agency/roles.ts'
import { profile } from '../agency/test/examples.ts'
import type { AuditorLinkCommand, Scope } from '../auditor-link/commands.ts'
import { audiences, type Anchor, type DiscussionCommand } from '../discussion/commands.ts'
import type { DiscussionContext } from '../discussion/decider.ts'
import { textHash } from '../discussion/hashes.ts'
import type { GenerationCommand } from '../generation/commands.ts'
import { approverRoles, policyOwnApprovals, stepNeeds, type ApprovalPolicy } from '../core/approval-policy.ts'
import { noApprovals } from '../core/approval-round.ts'
import { platforms, standings } from '../core/values.ts'
import { deletionCauses, firstStatuses, remedies, verdicts, verifications, type PostCommand } from '../post/commands.ts'
import { attemptId as exampleAttempt, bound, storedImage } from '../post/test/examples.ts'
import { everyRight, type Rights } from '../post/rights.ts'
import type { PostContext } from '../post/rules.ts'
import { reviewAbilities, reviewLocks, type ReviewLinkCommand, type ReviewScope } from '../review-link/commands.ts'
import type { ReviewLinkContext } from '../review-link/decider.ts'
import type { SampleCommand } from '../sample/commands.ts'

/** Every kind of command must be listed: a new one without an entry does not compile. */
type EachKind<C extends { readonly type: string }> = {
  readonly [Type in C['type']]: fc.Arbitrary<Extract<C, { type: Type }>>
}

const all = <C extends { readonly type: string }>(kinds: EachKind<C>): fc.Arbitrary<C> =>
  fc.oneof(...(Object.values(kinds) as fc.Arbitrary<C>[]))
const kind = <Type extends string, Fields extends object>(
  type: Type,
  fields: { readonly [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) => fc.record({ type: fc.constant(type), ...fields }) as fc.Arbitrary<{ type: Type } & Fields>

const bare = <Type extends string>(type: Type): fc.Arbitrary<{ type: Type }> => fc.constant({ type })

const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values)
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const start = Date.parse('2026-03-02T10:00:00.000Z')
/** Minutes from the start, some before it. */
const time = fc.integer({ min: -60, max: 20_000 }).map((minutes) => new Date(start + minutes * 60_000).toISOString())
const id = oneOf('id-1', 'id-2', 'id-3')
const text = oneOf('Fresh coffee', 'Better words', ' ', 'x'.repeat(281), 'a\0b \ud83d\ude00', '')
const figure = orNull(fc.integer({ min: 0, max: 1_000_000 }))

const memberId = oneOf('o', 'id-1', 'id-2')
const scope = oneOf<ClientScope>('all', 'all', ['id-1'], ['id-2', 'id-1'])
const role = oneOf(...givenRoles)
export const actingUser = oneOf('o', 'o', 'id-1', 'id-2', 'id-3', null)

export const agencyKinds: EachKind<AgencyCommand> = {
  OpenAgency: kind('OpenAgency', { agencyId: id, ownerId: id, name: text, timeZone: oneOf('UTC', 'Asia/Tokyo') }),
  ChangeTimeZone: kind('ChangeTimeZone', { timeZone: oneOf('UTC', 'Asia/Tokyo', 'Europe/Berlin') }),
  SetBrand: kind('SetBrand', { logoHash: orNull(id), color: orNull(oneOf('#1f6f54', '#3b82f6')) }),
  AddClient: kind('AddClient', {
    clientId: id,
    profile: fc.record({ name: text }).map(({ name }) => ({ ...profile, name })),
  }),
  ReviseClientProfile: kind('ReviseClientProfile', {
    clientId: id,
    changes: fc.record(
      { name: text, industry: orNull(text), logoUrl: orNull(text) },
      { requiredKeys: [] },
    ) as fc.Arbitrary<ClientChanges>,
  }),
  RemoveClient: kind('RemoveClient', { clientId: id }),
  ExpireTrial: bare('ExpireTrial'),
  RecordSubscription: kind('RecordSubscription', {
    heard: oneOf('told', 'asked'),
    subscriptionId: id,
    customerId: id,
    status: oneOf(...providerStatuses),
    currentPeriodEnd: orNull(time),
    endsWithPeriod: fc.boolean(),
    begunAt: time,
    asOf: time,
  }),
  InviteMember: kind('InviteMember', {
    invitationId: id,
    role,
    clients: scope,
    expiresAt: time,
    replaces: orNull(id),
  }),
  WithdrawInvitation: kind('WithdrawInvitation', { invitationId: id }),
  JoinTeam: kind('JoinTeam', { invitationId: id, memberId }),
  ChangeMemberRole: kind('ChangeMemberRole', { memberId, role, clients: scope }),
  RemoveMember: kind('RemoveMember', { memberId, links: oneOf('kept', 'revoked') }),
  ResetMemberFactors: kind('ResetMemberFactors', { memberId, resetId: id }),
  LeaveTeam: kind('LeaveTeam', { memberId }),
  OfferOwnership: kind('OfferOwnership', { memberId: orNull(memberId) }),
  AcceptOwnership: kind('AcceptOwnership', { memberId }),
  SetSecondFactorPolicy: kind('SetSecondFactorPolicy', { isRequired: fc.boolean() }),
  SetOwnApproval: kind('SetOwnApproval', { ownApproval: oneOf(...ownApprovals) }),
}

const rules = {
  frequency: oneOf(...frequencies),
  postsPerWeek: fc.integer({ min: 1, max: 3 }),
  preferredTimes: fc.array(fc.record({ day: oneOf<0 | 3 | 'every'>(0, 3, 'every'), time: oneOf('09:00', '17:30') }), {
    minLength: 1,
    maxLength: 2,
  }),
  contentTopics: fc.array(text, { maxLength: 2 }),
}

const stepId = oneOf('step-1', 'step-2')
const approver = fc.record({ memberId: id, userId: id, role: oneOf(...approverRoles) })
const step = fc.record({
  name: text,
  who: fc.oneof(
    fc.record({ kind: fc.constant('members' as const), memberIds: fc.array(id, { minLength: 1, maxLength: 2 }) }),
    fc.record({ kind: fc.constant('role' as const), role: oneOf(...approverRoles) }),
    fc.constant({ kind: 'client' as const }),
  ),
  need: oneOf(...stepNeeds),
})
const approvalPolicy: fc.Arbitrary<ApprovalPolicy> = fc
  .record({
    steps: fc
      .array(step, { maxLength: 2 })
      .map((steps) => steps.map((each, index) => ({ id: `step-${index + 1}`, ...each }))),
    ownApproval: oneOf(...policyOwnApprovals),
    timePart: fc.oneof(
      fc.constant({ kind: 'free' as const }),
      fc.record({ kind: fc.constant('bound' as const), minutes: fc.integer({ min: 0, max: 1_000 }) }),
    ),
  })
  .chain((policy) =>
    fc.constantFrom(
      policy,
      policy.steps.length === 0 ? policy : { ...policy, remindAfterHours: [1, 24] },
      policy.steps.length === 0
        ? policy
        : { ...policy, remindAfterHours: [2], ifSilent: { kind: 'escalate' as const, to: 'manager' as const } },
    ),
  )

/** Few, so that retries of failed slots occur. */
const slotTime = oneOf('2026-03-03T09:00:00.000Z', '2026-03-04T09:00:00.000Z', '2026-06-04T09:00:00.000Z')

export const clientKinds: EachKind<ClientCommand> = {
  AddSocialAccount: kind('AddSocialAccount', {
    accountId: id,
    platform: oneOf(...platforms),
    accountName: text,
    accountUrl: orNull(text),
  }),
  RenameSocialAccount: kind('RenameSocialAccount', { accountId: id, accountName: text, accountUrl: orNull(text) }),
  RemoveSocialAccount: kind('RemoveSocialAccount', { accountId: id, isNamed: fc.boolean() }),
  ConnectSocialAccount: kind('ConnectSocialAccount', {
    accountId: id,
    remoteId: id,
    network: oneOf('sandbox', 'live'),
    endsAt: orNull(time),
  }),
  RecordConnectionRenewed: kind('RecordConnectionRenewed', { accountId: id, endsAt: orNull(time) }),
  RecordConnectionLost: kind('RecordConnectionLost', { accountId: id, remoteId: id, cause: text }),
  PauseSocialAccount: kind('PauseSocialAccount', { accountId: id, until: time, cause: text }),
  DisconnectSocialAccount: kind('DisconnectSocialAccount', {
    accountId: id,
    because: oneOf('asked', 'client-removed'),
  }),
  AddPostingSchedule: kind('AddPostingSchedule', { scheduleId: id, accountId: id, ...rules }),
  RevisePostingSchedule: kind('RevisePostingSchedule', { scheduleId: id, ...rules }),
  PausePostingSchedule: kind('PausePostingSchedule', { scheduleId: id }),
  ResumePostingSchedule: kind('ResumePostingSchedule', { scheduleId: id }),
  RemovePostingSchedule: kind('RemovePostingSchedule', { scheduleId: id }),
  RecordPlanningFailed: kind('RecordPlanningFailed', {
    scheduleId: id,
    revision: fc.nat(1),
    slot: slotTime,
    cause: text,
  }),
  RetryPlanning: kind('RetryPlanning', { scheduleId: id, slot: slotTime }),
  SetApprovalPolicy: kind('SetApprovalPolicy', { policy: approvalPolicy }),
  AddClientContact: kind('AddClientContact', { contactId: id }),
  RemoveClientContact: kind('RemoveClientContact', { contactId: id }),
}

export const generationKinds: EachKind<GenerationCommand> = {
  RecordGeneration: kind('RecordGeneration', {
    generationId: id,
    writer: text,
    model: orNull(text),
    platform: oneOf(...platforms),
    topic: text,
    tone: text,
    content: text,
    tokens: figure,
  }),
}

/** The first one is the examples' attempt. */
const attemptId = oneOf(exampleAttempt, 'attempt-2')
const generated = fc.record({
  generationId: id,
  writer: text,
  model: orNull(text),
  topic: text,
  tone: text,
  edited: fc.boolean(),
})
const byReviewer = {
  reviewerId: id,
  linkId: id,
  verified: oneOf(...verifications),
  noteId: orNull(id),
  noteDigest: orNull(text),
}
const plan = fc.record({ scheduleId: id, revision: fc.nat(2), slot: time })
export const postKinds: EachKind<PostCommand> = {
  WritePost: kind('WritePost', {
    postId: id,
    clientId: id,
    accountId: id,
    platform: oneOf(...platforms),
    content: text,
    imageUrl: orNull(text),
    scheduledFor: orNull(time),
    as: oneOf(...firstStatuses),
    generation: orNull(generated),
    plan: orNull(plan),
  }),
  ReviseContent: kind('ReviseContent', { content: text, generation: orNull(generated) }),
  ReplaceImage: kind('ReplaceImage', { imageUrl: orNull(text) }),
  PlanPost: kind('PlanPost', { scheduledFor: time }),
  SubmitPost: bare('SubmitPost'),
  ApprovePost: fc.oneof(bare('ApprovePost'), kind('ApprovePost', { stepId })),
  SkipStep: kind('SkipStep', { stepId, reason: text }),
  ReassignStep: kind('ReassignStep', {
    stepId,
    memberIds: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
    reason: text,
  }),
  RemindOfStep: kind('RemindOfStep', {
    stepId,
    version: fc.integer({ min: 0, max: 2 }),
    opening: fc.integer({ min: 0, max: 2 }),
    number: fc.integer({ min: 0, max: 3 }),
  }),
  RejectPost: kind('RejectPost', { reason: orNull(text) }),
  SchedulePost: kind('SchedulePost', { scheduledFor: orNull(time) }),
  PublishPostNow: bare('PublishPostNow'),
  ReschedulePost: kind('ReschedulePost', { scheduledFor: time }),
  ReturnPostToDraft: bare('ReturnPostToDraft'),
  AssignPost: kind('AssignPost', { memberId: orNull(id) }),
  ClaimPost: kind('ClaimPost', { attemptId, until: time }),
  RecordPrepared: kind('RecordPrepared', { attemptId, media: fc.array(id, { maxLength: 2 }) }),
  ConfirmPublished: kind('ConfirmPublished', { attemptId, remoteId: id, url: orNull(text) }),
  RecordPublishingRejected: kind('RecordPublishingRejected', {
    attemptId,
    cause: text,
    remedy: oneOf(...remedies),
    retryAt: time,
  }),
  RecordOutcomeUnknown: kind('RecordOutcomeUnknown', { attemptId, cause: text }),
  RecordPublishingFailed: kind('RecordPublishingFailed', { attemptId, cause: text, remedy: oneOf(...remedies) }),
  HoldPost: kind('HoldPost', { because: oneOf('overdue', 'subscription-needed', 'not-connected', 'changed-account') }),
  GiveVerdict: kind('GiveVerdict', {
    verdict: oneOf(...verdicts),
    seenHash: oneOf(bound.approvalHash, 'v1:another'),
    seenVersion: fc.nat(2),
    enteredBy: orNull(id),
    ...byReviewer,
  }),
  HoldByReviewer: kind('HoldByReviewer', byReviewer),
  ResolveAsLive: kind('ResolveAsLive', { attemptId: orNull(attemptId), url: orNull(text), remoteId: orNull(id) }),
  ResolveAsNotLive: kind('ResolveAsNotLive', { attemptId }),
  RetryPost: kind('RetryPost', { scheduledFor: orNull(time) }),
  ReleasePost: kind('ReleasePost', { scheduledFor: orNull(time) }),
  RecordMetrics: kind('RecordMetrics', {
    reading: fc.integer({ min: 0, max: 3 }),
    totals: fc.record({ views: figure, likes: figure, comments: figure, shares: figure }),
  }),
  DeletePost: kind('DeletePost', { because: oneOf(...deletionCauses) }),
  WithdrawPost: kind('WithdrawPost', { because: oneOf('schedule-changed', 'schedule-removed') }),
  TakeOverSuggestion: kind('TakeOverSuggestion', { content: text }),
}

const figures = fc.record({
  platform: oneOf(...platforms),
  views: fc.nat(),
  likes: fc.nat(),
  comments: fc.nat(),
  shares: fc.nat(),
  engagement: fc.nat(),
})
export const sampleKinds: EachKind<SampleCommand> = {
  AddSampleFigures: kind('AddSampleFigures', { figures: fc.array(figures, { maxLength: 4 }) }),
  RemoveSampleFigures: bare('RemoveSampleFigures'),
}

export const auditorLinkKinds: EachKind<AuditorLinkCommand> = {
  IssueAuditorLink: kind('IssueAuditorLink', {
    label: text,
    scope: oneOf<Scope>({ kind: 'agency' }, { kind: 'client', clientId: '0195a000-0000-7000-8000-000000000001' }),
    expiresAt: time,
  }),
  RevokeAuditorLink: bare('RevokeAuditorLink'),
  RecordAuditorLinkUse: bare('RecordAuditorLinkUse'),
}

export const reviewLinkKinds: EachKind<ReviewLinkCommand> = {
  IssueReviewLink: kind('IssueReviewLink', {
    clientId: id,
    contacts: oneOf<readonly string[]>([], ['id-1'], ['id-1', 'id-2']),
    anyone: fc.boolean(),
    scope: oneOf<ReviewScope>({ kind: 'pending' }, { kind: 'month', month: '2026-03' }),
    may: fc.subarray([...reviewAbilities]),
    lock: oneOf(...reviewLocks),
    expiresAt: time,
  }),
  RevokeReviewLink: bare('RevokeReviewLink'),
  RecordReviewLinkUse: bare('RecordReviewLinkUse'),
}
/** The text that random comments are about. */
const commentedText = 'Fresh coffee'
const anchors = oneOf<Anchor>(
  { kind: 'range', from: 0, to: 5, contentHash: textHash(commentedText) },
  { kind: 'range', from: 0, to: 5, contentHash: textHash('Earlier words') },
)
const mentions = fc.array(id, { maxLength: 2 })
export const discussionKinds: EachKind<DiscussionCommand> = {
  PostComment: kind('PostComment', {
    commentId: id,
    parentId: orNull(id),
    audience: orNull(oneOf(...audiences)),
    digest: text,
    anchor: orNull(anchors),
    suggestion: orNull(fc.record({ digest: text, contentHash: fc.constant(textHash(commentedText)) })),
    mentions,
  }),
  EditComment: kind('EditComment', { commentId: id, digest: text, mentions }),
  RemoveComment: kind('RemoveComment', { commentId: id }),
}
export const aroundDiscussion: fc.Arbitrary<Omit<DiscussionContext, 'now'>> = fc.record({
  actor: fc.record({ type: fc.constant('user' as const), id: oneOf('o', 'o', 'id-1') }),
  mayModerate: fc.boolean(),
  post: fc.constant({ content: commentedText, imageUrl: null, image: null }),
  unfitMentions: oneOf([], [], ['id-3']),
})

export const agencyCommand = all(agencyKinds)
export const clientCommand = all(clientKinds)
export const postCommand = all(postKinds)
export const sampleCommand = all(sampleKinds)
export const generationCommand = all(generationKinds)
export const auditorLinkCommand = all(auditorLinkKinds)
export const reviewLinkCommand = all(reviewLinkKinds)

const mostly = (value: boolean) => fc.oneof({ weight: 8, arbitrary: fc.constant(value) }, fc.boolean())
export const aroundReviewLink: fc.Arbitrary<Omit<ReviewLinkContext, 'now'>> = fc.record({
  standing: fc.oneof({ weight: 8, arbitrary: oneOf('good' as const) }, oneOf(...standings)),
  clientExists: mostly(true),
  contactsExist: mostly(true),
  postsExist: mostly(true),
  open: oneOf(0, 0, 199, 200),
  mails: mostly(true),
})
export const discussionCommand = all(discussionKinds)

/** A post's command context without the clock, which the test sets, and without a policy. Mostly the normal case. */
export const aroundPost: fc.Arbitrary<Omit<PostContext, 'now' | 'freeSlot'>> = fc.record({
  standing: fc.oneof({ weight: 8, arbitrary: oneOf('good' as const) }, oneOf(...standings)),
  acting: fc.oneof(
    { weight: 20, arbitrary: fc.constant(everyRight) },
    fc.record({
      rights: oneOf<Rights>('read', 'write', 'approve'),
      userId: orNull(id),
      mayApproveOwn: fc.boolean(),
    }),
  ),
  approvals: fc.constant(noApprovals),
  isAssignable: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
  clientOnRoster: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.boolean()),
  account: fc.oneof(
    {
      weight: 8,
      arbitrary: oneOf(...platforms).map((platform) => ({
        platform,
        remoteId: 'page-1',
        isConnected: true,
        pausedUntil: null,
      })),
    },
    fc.constant(null),
    oneOf(...platforms).map((platform) => ({ platform, remoteId: null, isConnected: false, pausedUntil: null })),
    fc.record({
      platform: oneOf(...platforms),
      remoteId: fc.constant('page-1'),
      isConnected: fc.constant(true),
      pausedUntil: time,
    }),
  ),
  image: fc.oneof(
    fc.constant(null),
    fc.constant({ kind: 'stored' as const, image: storedImage }),
    fc.constant({ kind: 'unusable' as const, sentence: "The image's address answered 404." }),
  ),
  quota: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    fc.record({ left: fc.integer({ min: 0, max: 2 }), until: time }),
  ),
})
/** The same of clients that mostly have an approval policy, with people who approve. */
export const aroundPostUnderPolicy: typeof aroundPost = fc
  .tuple(
    aroundPost,
    fc.record({
      policy: fc.option(
        approvalPolicy.filter(({ steps }) => steps.length > 0),
        { nil: null },
      ),
      approvers: fc.array(approver, { maxLength: 4 }),
    }),
    fc.option(fc.record({ rights: oneOf<Rights>('approve'), userId: id, mayApproveOwn: fc.boolean() })),
    fc.boolean(),
  )
  .map(([around, approvals, acting, maySkip]) => ({
    ...around,
    approvals,
    ...(acting && { acting: { ...acting, maySkip } }),
  }))
export const aroundClient = fc.record({
  standing: oneOf('good' as const, ...standings),
  onRoster: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.boolean()),
  approvers: fc.array(approver, { maxLength: 3 }),
})

/** Minutes before each command, mostly few. */
export const waits = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
  fc.integer({ min: 0, max: 6_000 }),
)
export const clockAt = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
