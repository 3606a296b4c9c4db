/** Appends to the test server, single and batched, with injectable faults. */
import { Metadata, status, type ServerDuplexStream, type ServerReadableStream } from '@grpc/grpc-js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statusPb from '@eventstore/db-client/generated/status_pb.js'
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import pb from '@eventstore/db-client/generated/streams_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import { denied, type Access } from './access.ts'
import type { Appended, Expected, Log, Proposed } from './log.ts'

/**
 * Faults of the next appends, in turn: cut the connection before or after the commit, never answer, pass the deadline
 * on the server, or report it busy.
 */
export type Fault =
  | 'drop-before'
  | 'drop-after'
  | 'silent-before'
  | 'silent-after'
  | 'late-before'
  | 'late-after'
  | 'unavailable'
export interface Faults {
  next: Fault[]
  /** How far the server's clock is ahead of the test's: the server judges batched appends' deadlines by its own. */
  clockAheadMs: number
}

type Failed = 'denied' | 'dropped' | 'silent' | 'late' | 'unavailable'
type Answer = { readonly appended: Appended } | { readonly failed: Failed }
const failures = { drop: 'dropped', silent: 'silent', late: 'late' } as const

interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly proposed: readonly Proposed[]
  readonly isAllowed: boolean
  readonly isLate: boolean
}

export function appending(log: Log, faults: Faults, drop: () => void, mayWrite: Access['mayWrite']) {
  const decide = ({ stream, expected, proposed, isAllowed, isLate }: Append): Answer => {
    if (!isAllowed) return { failed: 'denied' }
    if (isLate) return { failed: 'late' }
    const fault = faults.next.shift()
    if (fault === 'unavailable') return { failed: fault }
    if (fault === undefined) return { appended: log.append(stream, expected, proposed) }
    const [how, when] = fault.split('-') as [keyof typeof failures, 'before' | 'after']
    if (when === 'after') log.append(stream, expected, proposed)
    if (how === 'drop') drop()
    return { failed: failures[how] }
  }

  return {
    append(
      call: ServerReadableStream<AppendReq, AppendResp>,
      answer: (error: object | null, reply?: AppendResp) => void,
    ): void {
      let options: AppendReq.Options | undefined
      const proposed: Proposed[] = []
      call.on('data', (request: AppendReq) => {
        if (request.hasOptions()) options = request.getOptions()
        const message = request.getProposedMessage()
        if (message) proposed.push(proposedOf(message))
      })
      call.on('error', () => {})
      call.on('end', () => {
        const expected = options?.hasNoStream()
          ? 'no-stream'
          : options?.hasRevision()
            ? Number(options.getRevision())
            : options?.hasStreamExists()
              ? 'stream-exists'
              : 'any'
        const deadline = Number(call.getDeadline())
        const stream = nameOf(options?.getStreamIdentifier())
        // gRPC sends the time that is left, so that clocks don't matter.
        const isLate = deadline <= Date.now()
        const outcome = decide({ stream, expected, proposed, isAllowed: mayWrite(call, stream), isLate })
        if ('appended' in outcome)
          return isRefusal(outcome.appended)
            ? answer(refusalOf(outcome.appended, stream))
            : answer(null, replyOf(outcome.appended))
        if (outcome.failed === 'denied') answer(denied(status.PERMISSION_DENIED))
        if (outcome.failed === 'unavailable') answer({ code: status.UNAVAILABLE, details: 'Busy' })
        if (outcome.failed === 'late') answer({ code: status.DEADLINE_EXCEEDED, details: 'Too late' })
      })
    },

    batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void {
      /** An append may arrive in several requests. */
      const begun = new Map<string, { readonly options: BatchAppendReq.Options; readonly proposed: Proposed[] }>()
      call.on('error', () => {})
      call.on('end', () => call.end())
      call.on('data', (request: BatchAppendReq) => {
        const id = Buffer.from(request.getCorrelationId()?.serializeBinary() ?? []).toString('hex')
        const options = request.getOptions()
        if (options) begun.set(id, { options, proposed: [] })
        const append = begun.get(id)
        if (!append) return
        append.proposed.push(...request.getProposedMessagesList().map(proposedOf))
        if (!request.getIsFinal()) return
        begun.delete(id)
        const expected = append.options.hasNoStream()
          ? 'no-stream'
          : append.options.hasStreamPosition()
            ? Number(append.options.getStreamPosition())
            : append.options.hasStreamExists()
              ? 'stream-exists'
              : 'any'
        const deadline = append.options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY
        const isLate = deadline <= Date.now() + faults.clockAheadMs
        const stream = nameOf(append.options.getStreamIdentifier())
        const { proposed } = append
        const outcome = decide({ stream, expected, proposed, isAllowed: mayWrite(call, stream), isLate })
        const answer = (reply: BatchAppendResp) => {
          reply.setCorrelationId(request.getCorrelationId())
          reply.setStreamIdentifier(append.options.getStreamIdentifier())
          if (!call.cancelled) call.write(reply)
        }
        if ('appended' in outcome) return answer(batchReplyOf(outcome.appended, expected))
        // The call goes on: others of its appends may be to streams that the user may write.
        if (outcome.failed === 'denied')
          answer(refusal('denied', new shared.AccessDenied().serializeBinary(), 'AccessDenied'))
        if (outcome.failed === 'unavailable') call.emit('error', { code: status.UNAVAILABLE, details: 'Busy' })
        if (outcome.failed === 'late') answer(refusal('late', new shared.Timeout().serializeBinary(), 'Timeout'))
      })
    },
  }
}

const nameOf = (identifier: { getStreamName_asU8(): Uint8Array } | undefined) =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString()

function proposedOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed {
  const map = message.getMetadataMap()
  return {
    id: uuidOf(message.getId()),
    type: map.get('type') ?? '',
    contentType: map.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

/** As a text, or as two 64-bit halves. */
function uuidOf(
  id:
    | {
        getString(): string
        getStructured(): { getMostSignificantBits(): string; getLeastSignificantBits(): string } | undefined
      }
    | undefined,
): string {
  const halves = id?.getStructured()
  if (!halves) return id?.getString() ?? ''
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function replyOf(appended: Appended): AppendResp {
  const reply = new pb.AppendResp()
  if (appended.kind === 'stored') {
    const position = new pb.AppendResp.Position()
    position.setCommitPosition(String(appended.position))
    position.setPreparePosition(String(appended.position))
    const success = new pb.AppendResp.Success()
    success.setCurrentRevision(String(appended.revision))
    success.setPosition(position)
    reply.setSuccess(success)
  } else if (appended.kind === 'wrong-revision') {
    const wrong = new pb.AppendResp.WrongExpectedVersion()
    if (appended.current === null) wrong.setCurrentNoStream(new shared.Empty())
    else wrong.setCurrentRevision(String(appended.current))
    reply.setWrongExpectedVersion(wrong)
  }
  return reply
}

type Refusal = Extract<Appended, { readonly kind: 'deleted' | 'too-large' }>
const isRefusal = (appended: Appended): appended is Refusal =>
  appended.kind === 'deleted' || appended.kind === 'too-large'

/** The refusal of a single append has no message of its own. */
function refusalOf(refused: Refusal, stream: string): object {
  const metadata = new Metadata()
  metadata.set('stream-name', encodeURIComponent(stream))
  metadata.set('exception', refused.kind === 'deleted' ? 'stream-deleted' : 'maximum-append-size-exceeded')
  if (refused.kind === 'too-large') metadata.set('maximum-append-size', String(refused.most))
  return {
    code: refused.kind === 'deleted' ? status.FAILED_PRECONDITION : status.INVALID_ARGUMENT,
    details: refused.kind,
    metadata,
  }
}

function batchReplyOf(appended: Appended, expected: Expected): BatchAppendResp {
  const reply = new pb.BatchAppendResp()
  if (appended.kind === 'stored') {
    const position = new shared.AllStreamPosition()
    position.setCommitPosition(String(appended.position))
    position.setPreparePosition(String(appended.position))
    const success = new pb.BatchAppendResp.Success()
    success.setCurrentRevision(String(appended.revision))
    success.setPosition(position)
    reply.setSuccess(success)
    return reply
  }
  if (appended.kind === 'deleted')
    return refusal(appended.kind, new shared.StreamDeleted().serializeBinary(), 'StreamDeleted')
  if (appended.kind === 'too-large') {
    const large = new shared.MaximumAppendSizeExceeded()
    large.setMaxappendsize(appended.most)
    return refusal(appended.kind, large.serializeBinary(), 'MaximumAppendSizeExceeded')
  }
  const wrong = new shared.WrongExpectedVersion()
  if (appended.current === null) wrong.setCurrentNoStream(new empty.Empty())
  else wrong.setCurrentStreamRevision(String(appended.current))
  if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected))
  else wrong.setExpectedNoStream(new empty.Empty())
  return refusal(appended.kind, wrong.serializeBinary(), 'WrongExpectedVersion')
}

/** @param message one of shared.proto's refusal messages */
function refusal(why: string, message: Uint8Array, type: string): BatchAppendResp {
  const details = new any.Any()
  details.pack(message, `event_store.client.${type}`)
  const error = new statusPb.Status()
  error.setMessage(why)
  error.setDetails(details)
  const reply = new pb.BatchAppendResp()
  reply.setError(error)
  return reply
}
