/**
 * Review links: a client's people see posts and give verdicts without an account. The token is after the # of the
 * address and goes in the body, so that it is in no log line, and no GET changes anything.
 */
import { z } from 'zod'
import { postStatusSchema } from '../../domain/post/commands.ts'
import {
  maxLinkContacts,
  maxPasscode,
  maxReviewedPosts,
  reviewAbilities,
  reviewScopeSchema,
} from '../../domain/review-link/commands.ts'
import { notBlank } from '../../domain/core/documented.ts'
import { hasVisible } from '../../domain/core/visible.ts'
import { isStorable, idSchema, instantSchema, platformSchema } from '../../domain/core/values.ts'
import { maxReviewerName, maxReviewNote } from './limits.ts'
import { cursorSchema } from './post-schemas.ts'
import { route } from './route.ts'

const linkState = z.enum(['open', 'revoked', 'expired'])
const may = z.array(z.enum(reviewAbilities))

export const reviewLinkReply = z.object({
  id: z.string(),
  clientId: z.string(),
  contacts: z.array(z.string()),
  /** Everyone who has the address may use the link: its verdicts are marked "only named". */
  anyone: z.boolean(),
  scope: reviewScopeSchema,
  may,
  lock: z.enum(['none', 'passcode', 'code']),
  issuedAt: z.string(),
  issuedBy: z.string(),
  expiresAt: z.string(),
  lastUsedAt: z.string().nullable(),
  state: linkState,
})
export type ReviewLink = z.infer<typeof reviewLinkReply>

/** Answered once: only digests of the tokens are kept. */
const issuedReviewLink = reviewLinkReply.extend({
  /** The address for everyone; null where only contacts may use the link. */
  url: z.string().nullable(),
  /** The contacts who get a letter with an address of their own, and that address where no mail server is set up. */
  sentTo: z.array(z.object({ contactId: z.string(), mailed: z.boolean(), url: z.string().nullable() })),
})
export type IssuedReviewLink = z.infer<typeof issuedReviewLink>

export const newReviewLinkBody = z.object({
  contacts: z
    .array(idSchema)
    .max(maxLinkContacts, `Choose at most ${maxLinkContacts} people`)
    .transform((ids) => [...new Set(ids)])
    .default([]),
  anyone: z.boolean().default(false),
  scope: reviewScopeSchema.default({ kind: 'pending' }),
  expiresAt: instantSchema,
  may: z
    .array(z.enum(reviewAbilities))
    .max(reviewAbilities.length)
    .transform((abilities) => reviewAbilities.filter((ability) => abilities.includes(ability)))
    .default(['approve', 'comment']),
  lock: z.enum(['none', 'passcode', 'code']).default('none'),
  /** Where `lock` is `passcode`. */
  passcode: z
    .string()
    .min(6, 'A passcode has at least 6 characters')
    .max(maxPasscode, `A passcode has at most ${maxPasscode} characters`)
    .meta({ examples: ['sunrise-42'] })
    .optional(),
})

const reviewerReply = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: the person used the address for everyone, and only said a name. */
  contactId: z.string().nullable(),
  /** Of the first act. */
  since: z.string(),
})
export type Reviewer = z.infer<typeof reviewerReply>

/** Text of any length: a malformed token gets the same answer as an unknown one. The body's limit bounds it. */
const token = z.string().meta({ examples: ['p3Zb0TkXn5mQ8sVt2Lr9WcYd4FgHjK6eUaIoN1xSvBE'] })
/** From `unlock` or `name`. Without it, the contact of the token acts, where the link has no lock. */
const session = z
  .string()
  .max(200)
  .meta({ examples: ['hT7uYb2NqLx0RmZc5VwKj9PdAe3SfGiO4EtQ6BnD8Ws'] })
  .optional()
/** What each request of a reviewer begins with. */
export const linkAsked = { token, session }
/** One answer for links that are unknown, foreign or malformed; revoked and expired ones say which agency to ask. */
const over = 'The link is unknown (`link-unknown`)'
export const closed = 'The link is revoked or expired, or is locked'

const agencyShown = z.object({ name: z.string(), logoUrl: z.string().nullable(), color: z.string().nullable() })
export type ReviewingAgency = z.infer<typeof agencyShown>

/** A version is the text and image of one submission; the first is 1. */
const reviewedPost = z.object({
  id: z.string(),
  platform: platformSchema,
  /** The network's name of the connected profile, else the name of the account. */
  accountName: z.string(),
  content: z.string(),
  imageUrl: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  status: postStatusSchema,
  held: z.enum(['client-asked', 'other']).nullable(),
  /** The live address after publishing. */
  url: z.string().nullable(),
  version: z.int(),
  /** To send with a verdict: another one since means that the post has changed. */
  hash: z.string(),
  /** What comments and suggestions are about: the text, and the stored image; null without one. */
  textHash: z.string(),
  imageHash: z.string().nullable(),
  /** The number of comments that the reviewer can read. */
  comments: z.int(),
  /** Grows with each comment that the reviewer can read, and each edit and removal of one. */
  commentChanges: z.int(),
  /**
   * The reviewer's last verdict, on the version it names. It is not current where another version or text is shown now,
   * and for an approval from before the client's step opened.
   */
  verdict: z
    .object({
      verdict: z.enum(['approve', 'changes', 'hold']),
      version: z.int(),
      at: z.string(),
      isCurrent: z.boolean(),
    })
    .nullable(),
  /** The version that the reviewer saw last, where another one or another text is shown now. */
  seen: z.object({ version: z.int(), content: z.string(), imageUrl: z.string().nullable() }).nullable(),
  /** What the reviewer may do now. */
  can: z.array(z.enum(['approve', 'changes', 'hold', 'comment', 'suggest'])),
  /** The verdict fulfils a step of the client; without one the agency schedules the post. */
  isStep: z.boolean(),
  /** A step of the client opens after the agency's own. */
  isStepAhead: z.boolean(),
})
export type ReviewedPost = z.infer<typeof reviewedPost>

const reviewSeen = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('locked'),
    agency: agencyShown,
    needs: z.enum(['passcode', 'code']),
    /** Where the code goes, shortened: `n…@example.com`. */
    address: z.string().nullable(),
  }),
  z.object({ state: z.enum(['revoked', 'expired']), agency: agencyShown }),
  z.object({
    state: z.literal('open'),
    agency: agencyShown,
    clientName: z.string(),
    timeZone: z.string(),
    issuedBy: z.string(),
    expiresAt: z.string(),
    may,
    /** The id is of the person as receipts and the history have it. Without a name, ask for it before the first act. */
    you: z.object({ id: z.string().nullable(), name: z.string().nullable(), verified: z.enum(['code', 'named']) }),
    /** A code by mail is offered, which proves who acts. */
    canVerify: z.boolean(),
    /** Approvals are paused: the agency's trial or subscription has ended. */
    isPaused: z.boolean(),
    /** The first page has the next posts to judge first. */
    posts: z.array(reviewedPost),
    total: z.int(),
    done: z.int(),
    next: z.string().nullable(),
  }),
])
export type ReviewSeen = z.infer<typeof reviewSeen>

const exampleHash = 'v1:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'
const notAVersion = 'Versions are counted from 1'
const seenVersion = z.int().min(1, notAVersion).max(1_000_000, notAVersion)
const ofPost = {
  ...linkAsked,
  postId: idSchema,
  seenHash: z
    .string()
    .max(100)
    .meta({ examples: [exampleHash] }),
  seenVersion,
}
const note = z
  .string()
  .trim()
  .max(maxReviewNote, `Write at most ${maxReviewNote.toLocaleString('en-US')} characters`)
  .refine(isStorable, "The text has an invisible character that can't be stored")
  .meta({ examples: ['A warmer greeting, please'] })
  .transform((text) => (hasVisible(text) ? text : ''))
const changed = 'Another version, being published already, or approvals are paused'

export const reviewLinkRoutes = {
  listReviewLinks: route({
    method: 'GET',
    path: '/api/clients/{id}/review-links',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: "A client's review links, the newest first",
    params: z.object({ id: idSchema }),
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: z.array(reviewLinkReply),
    paged: true,
    status: 200,
  }),
  issueReviewLink: route({
    method: 'POST',
    path: '/api/clients/{id}/review-links',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: 'Send posts for review: each contact gets a letter with a link of their own',
    params: z.object({ id: idSchema }),
    body: newReviewLinkBody,
    reply: issuedReviewLink,
    status: 201,
    errors: {
      402: 'The trial or subscription has ended',
      409: '200 open links, a contact or post of another client, or no mail server for codes',
      429: 'More than 100 letters to contacts an hour',
    },
    idempotent: true,
  }),
  revokeReviewLink: route({
    method: 'DELETE',
    path: '/api/review-links/{id}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Revoke a review link at once',
    params: z.object({ id: idSchema }),
    reply: null,
    status: 204,
  }),
  listReviewers: route({
    method: 'GET',
    path: '/api/review-links/{id}/reviewers',
    access: 'agency',
    needs: 'owner',
    client: 'loaded',
    summary: 'The people who acted through a review link, by name',
    params: z.object({ id: idSchema }),
    reply: z.array(reviewerReply),
    status: 200,
  }),
  eraseReviewer: route({
    method: 'DELETE',
    path: '/api/reviewers/{id}',
    access: 'agency',
    needs: 'owner',
    client: 'loaded',
    summary:
      'Erase the name, the address and the words of a reviewer, or of a contact: verdicts stay, by a former reviewer',
    params: z.object({ id: idSchema }),
    reply: null,
    status: 204,
  }),
  lookAtReview: route({
    method: 'POST',
    path: '/api/reviews/look',
    access: 'public',
    summary: 'What a review link shows. Changes nothing',
    body: z.object({ ...linkAsked, cursor: cursorSchema.optional() }),
    reply: reviewSeen,
    status: 200,
    errors: { 404: over },
  }),
  openReview: route({
    method: 'POST',
    path: '/api/reviews/opened',
    access: 'public',
    summary: 'Tell that posts were shown, with their versions',
    body: z.object({
      ...linkAsked,
      seen: z.array(z.object({ postId: idSchema, version: seenVersion })).max(maxReviewedPosts),
    }),
    reply: null,
    status: 204,
    errors: { 403: closed, 404: over },
  }),
  nameReviewer: route({
    method: 'POST',
    path: '/api/reviews/name',
    access: 'public',
    summary: 'Say who reviews, on a link for everyone. The session acts in that name',
    body: z.object({
      ...linkAsked,
      name: z
        .string()
        .trim()
        .refine(hasVisible, 'Required')
        .max(maxReviewerName, `A name has at most ${maxReviewerName} characters`)
        .refine(isStorable, "The name has an invisible character that can't be stored")
        .meta({ ...notBlank, examples: ['Nora Lind'] }),
    }),
    reply: z.object({ session: z.string() }),
    status: 201,
    errors: { 403: closed, 404: over },
  }),
  askReviewCode: route({
    method: 'POST',
    path: '/api/reviews/code',
    access: 'public',
    summary: 'Mail a code of six digits to the contact of the link; it is valid for ten minutes',
    body: z.object({ token }),
    reply: null,
    status: 204,
    errors: {
      403: closed,
      404: over,
      409: 'The link is for everyone, or no mail server is set up',
      429: 'Too many codes',
    },
  }),
  unlockReview: route({
    method: 'POST',
    path: '/api/reviews/unlock',
    access: 'public',
    summary: 'Open a locked link, or prove who acts, with its passcode or a mailed code',
    body: z.union(
      [
        z.strictObject({
          ...linkAsked,
          passcode: z
            .string()
            .min(1, 'Required')
            .max(maxPasscode)
            .meta({ examples: ['sunrise-42'] }),
        }),
        z.strictObject({
          ...linkAsked,
          code: z
            .string()
            .regex(/^\d{6}$/, 'A code has six digits')
            .meta({ examples: ['123456'] }),
        }),
      ],
      'Send a passcode or a code',
    ),
    reply: z.object({ session: z.string() }),
    status: 201,
    errors: { 403: 'Wrong, or over', 404: over, 429: 'More than ten tries an hour' },
  }),
  giveVerdict: route({
    method: 'POST',
    path: '/api/reviews/verdict',
    access: 'public',
    summary: 'Approve a post, or ask for changes with a note',
    body: z.object({ ...ofPost, verdict: z.enum(['approve', 'changes']), note: note.default('') }),
    reply: reviewedPost,
    status: 200,
    errors: { 403: closed, 404: over, 409: changed },
  }),
  holdReviewedPost: route({
    method: 'POST',
    path: '/api/reviews/hold',
    access: 'public',
    summary: 'Hold an approved or scheduled post until the agency releases it',
    body: z.object({ ...linkAsked, postId: idSchema, note: note.default('') }),
    reply: reviewedPost,
    status: 200,
    errors: { 403: closed, 404: over, 409: 'It is being published, or was' },
  }),
}
