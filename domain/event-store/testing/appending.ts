/** Appends to the test server, one by one and in batches, and what can go wrong with them. */
import { status, type ServerDuplexStream, type ServerReadableStream } from '@grpc/grpc-js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statusPb from '@eventstore/db-client/generated/status_pb.js'
import type { AppendReq, AppendResp, BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import pb from '@eventstore/db-client/generated/streams_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import type { Appended, Expected, Log, Proposed } from './log.ts'

/** What happens to the next appends, in turn: the connection is cut before or after the commit, no answer comes in time, or the server says it is busy. */
export type Fault = 'drop-before' | 'drop-after' | 'silent-before' | 'silent-after' | 'unavailable'
export interface Faults {
  next: Fault[]
}

type Answer = { readonly appended: Appended } | { readonly failed: 'dropped' | 'silent' | 'unavailable' }

export function appending(log: Log, faults: Faults, drop: () => void) {
  const decide = (stream: string, expected: Expected, proposed: readonly Proposed[]): Answer => {
    const fault = faults.next.shift()
    if (fault === 'drop-before') drop()
    if (fault === 'unavailable') return { failed: 'unavailable' }
    if (fault === 'drop-before' || fault === 'silent-before') return { failed: fault === 'drop-before' ? 'dropped' : 'silent' }
    const appended = log.append(stream, expected, proposed)
    if (fault === 'drop-after') drop()
    if (fault === 'drop-after' || fault === 'silent-after') return { failed: fault === 'drop-after' ? 'dropped' : 'silent' }
    return { appended }
  }

  return {
    append(call: ServerReadableStream<AppendReq, AppendResp>, answer: (error: object | null, reply?: AppendResp) => void): void {
      let options: AppendReq.Options | undefined
      const proposed: Proposed[] = []
      call.on('data', (request: AppendReq) => {
        if (request.hasOptions()) options = request.getOptions()
        const message = request.getProposedMessage()
        if (message) proposed.push(proposedOf(message))
      })
      call.on('error', () => {})
      call.on('end', () => {
        const outcome = decide(nameOf(options?.getStreamIdentifier()), options?.hasNoStream() ? 'no-stream' : options?.hasRevision() ? Number(options.getRevision()) : options?.hasStreamExists() ? 'stream-exists' : 'any', proposed)
        if ('failed' in outcome) return outcome.failed === 'unavailable' ? answer({ code: status.UNAVAILABLE, details: 'Busy' }) : undefined
        answer(null, replyOf(outcome.appended))
      })
    },

    batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void {
      /** An append may come in several requests. */
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
        const expected = append.options.hasNoStream() ? 'no-stream' : append.options.hasStreamPosition() ? Number(append.options.getStreamPosition()) : append.options.hasStreamExists() ? 'stream-exists' : 'any'
        const outcome = decide(nameOf(append.options.getStreamIdentifier()), expected, append.proposed)
        if ('failed' in outcome) {
          if (outcome.failed === 'unavailable') call.emit('error', { code: status.UNAVAILABLE, details: 'Busy' })
          return
        }
        const reply = batchReplyOf(outcome.appended, expected)
        reply.setCorrelationId(request.getCorrelationId())
        reply.setStreamIdentifier(append.options.getStreamIdentifier())
        call.write(reply)
      })
    },
  }
}

const nameOf = (identifier: { getStreamName_asU8(): Uint8Array } | undefined) => Buffer.from(identifier?.getStreamName_asU8() ?? []).toString()

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

/** As a text, or as two halves of 64 bits. */
function uuidOf(id: { getString(): string; getStructured(): { getMostSignificantBits(): string; getLeastSignificantBits(): string } | undefined } | undefined): string {
  const halves = id?.getStructured()
  if (!halves) return id?.getString() ?? ''
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()].map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0')).join('')
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
  const details = new any.Any()
  if (appended.kind === 'wrong-revision') {
    const wrong = new shared.WrongExpectedVersion()
    if (appended.current === null) wrong.setCurrentNoStream(new empty.Empty())
    else wrong.setCurrentStreamRevision(String(appended.current))
    if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected))
    else wrong.setExpectedNoStream(new empty.Empty())
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion')
  } else if (appended.kind === 'deleted') {
    details.pack(new shared.StreamDeleted().serializeBinary(), 'event_store.client.StreamDeleted')
  } else {
    const large = new shared.MaximumAppendSizeExceeded()
    large.setMaxappendsize(appended.most)
    details.pack(large.serializeBinary(), 'event_store.client.MaximumAppendSizeExceeded')
  }
  const error = new statusPb.Status()
  error.setMessage(appended.kind)
  error.setDetails(details)
  reply.setError(error)
  return reply
}
