/** Receipts of what a client's people said about a post: signed statements that the public keys alone verify. */
import { createHash } from 'node:crypto'
import type { Recorded } from '../../../domain/core/event.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import type { Receipt, ReceiptStatement as Statement } from '../../contract/receipts.ts'
import type { Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import type { LogReads } from '../history/log-reads.ts'
import { auditScopeOf, eventsUpTo, firstOf, isIn, type AuditScope } from '../history/scope.ts'
import type { AuditPorts } from './routes.ts'
import type { Signer } from './signing.ts'

const maxReceipts = 100
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Ports {
  readonly events: EventStore
  readonly signer: Signer
  readonly checkpoint: () => Promise<string | null>
  readonly reads: LogReads
  /** Null for a reviewer who was erased. */
  readonly reviewerName: (reviewerId: string) => Promise<string | null>
}

/**
 * The newest 100 of a post, oldest first. @param of the reviewer whose own are asked for; null: of all @throws Problem
 * 404 for a post that is not in the scope
 */
export async function receiptsOf(
  ports: Ports,
  scope: AuditScope,
  postId: string,
  of: string | null,
): Promise<Receipt[]> {
  const first = await firstOf(ports.events, `post-${postId}`)
  if (!first || !isIn(scope, [first])) throw notFound('This post')
  const statements = await ports.reads.run(scope.agencyId, () => statementsOf(ports.events, postId, of))
  const checkpoint = statements.length === 0 ? null : await ports.checkpoint()
  const receipts: Receipt[] = []
  for (const statement of statements) {
    const { event, reviewerId, verdict, step, submission, verified, at } = statement
    receipts.push({
      id: event.id,
      verdict,
      step,
      submission,
      verified,
      at,
      reviewer: { id: reviewerId, name: await ports.reviewerName(reviewerId) },
      signed: await ports.signer.sign('receipt', { ...statement, checkpoint } satisfies Statement),
    })
  }
  return receipts
}

/** Folds the post's stream, and keeps its last verdicts alone. */
async function statementsOf(events: EventStore, postId: string, of: string | null): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  let post = initialPost
  let skipped: Statement['skipped'] = []
  for await (const stored of eventsUpTo(events, `post-${postId}`, null)) {
    const event = recorded(stored)
    const fact = event as unknown as PostEvent
    if (fact.type === 'PostSubmitted') skipped = []
    if (fact.type === 'PostStepSkipped')
      skipped = [...skipped, { stepId: fact.data.stepId, reason: fact.data.reason, at: event.metadata.at }]
    const statement = statementOf(event, fact, post, skipped)
    post = evolvePost(post, fact)
    if (statement && (of === null || statement.reviewerId === of)) statements.push(statement)
    if (statements.length > maxReceipts) statements.shift()
  }
  return statements
}

function statementOf(
  { metadata, revision, stream, type }: Recorded,
  fact: PostEvent,
  post: Post,
  skipped: Statement['skipped'],
): Statement | null {
  const said = saidIn(fact, post)
  if (!said) return null
  const { verdict, step, approvalHash, review } = said
  return {
    version: 1,
    agencyId: metadata.agencyId,
    clientId: post.clientId,
    postId: stream.slice('post-'.length),
    event: { id: metadata.eventId, type, revision, hash: metadata.hash },
    verdict,
    step,
    submission: review.version,
    approvalHash,
    contentHash: sha256(post.content),
    mediaHash: post.image?.hash ?? null,
    reviewerId: review.reviewerId,
    linkId: review.linkId,
    verified: review.verified,
    at: metadata.at,
    skipped,
    checkpoint: null,
  }
}

function saidIn(fact: PostEvent, post: Post) {
  switch (fact.type) {
    case 'PostSignedOff': {
      const { stepId, approvalHash } = fact.data
      const step = post.round?.policy.steps.find(({ id }) => id === stepId)?.name ?? null
      return { verdict: 'approve', step, approvalHash, review: fact.data } as const
    }
    case 'PostReviewed':
      return {
        verdict: fact.data.verdict,
        step: null,
        approvalHash: fact.data.approvalHash,
        review: fact.data,
      } as const
    case 'PostHeld':
      return fact.data.review === null
        ? null
        : ({
            verdict: 'hold',
            step: null,
            approvalHash: post.approval?.hash ?? null,
            review: fact.data.review,
          } as const)
    default:
      return null
  }
}

export type Receipts = (scope: AuditScope, postId: string, of: string | null) => Promise<Receipt[]>

export function receiptsFrom({
  commands,
  signer,
  checkpoints,
  past,
  reviewerName,
}: Pick<AuditPorts, 'commands' | 'signer' | 'checkpoints' | 'past'> & Pick<Ports, 'reviewerName'>): Receipts {
  const ports: Ports = {
    events: commands.ports.events,
    signer,
    checkpoint: async () => (await checkpoints.latest())?.signed ?? null,
    reads: past.shortReads,
    reviewerName,
  }
  return (scope, postId, of) => receiptsOf(ports, scope, postId, of)
}

export const receiptHandlers = (receipts: Receipts): Handlers<'getReceipts'> => ({
  getReceipts: async ({ agencyId, me, params: { id } }) => ({
    body: await receipts(auditScopeOf(agencyId, me.clients), id, null),
  }),
})
