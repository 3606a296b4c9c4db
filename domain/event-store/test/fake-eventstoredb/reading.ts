/** Reads and subscriptions of the test server. */
import { Metadata, status, type ServerWritableStream } from '@grpc/grpc-js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { ReadReq as ReadReqType, ReadResp as ReadRespType } from '@eventstore/db-client/generated/streams_pb.js'
import pb from '@eventstore/db-client/generated/streams_pb.js'
import type { Entry, Readable } from './log.ts'

type Call = ServerWritableStream<ReadReqType, ReadRespType>
type Options = NonNullable<ReturnType<ReadReqType['getOptions']>>
type Filter = (entry: Entry) => boolean

/** What the server has sent since its start. */
export interface Sent {
  /** The events of all reads and subscriptions. */
  events: number
}

export const reading = (log: Readable, sent: Sent) => ({
  read(call: Call): void {
    const options = call.request.getOptions()
    if (!options) return void call.emit('error', { code: status.INVALID_ARGUMENT, details: 'No options' })
    const work = options.hasSubscription() ? subscribed(log, call, options, sent) : read(log, call, options, sent)
    work.catch((error: unknown) => call.emit('error', { code: status.INTERNAL, details: String(error) }))
  },
})

async function read(log: Readable, call: Call, options: Options, total: Sent): Promise<void> {
  const entries = options.hasAll() ? ofAll(log, options) : ofStream(log, call, options)
  if (!entries) return
  const count = Number(options.getCount())
  let sent = 0
  for (const entry of entries) {
    if (sent >= count || call.cancelled) break
    await send(call, eventReply(entry))
    sent += 1
    total.events += 1
  }
  call.end()
}

const isBackwards = (options: Options) => options.getReadDirection() === 1

function ofAll(log: Readable, options: Options): readonly Entry[] {
  const all = options.getAll()
  const entries = log.all
  if (isBackwards(options)) {
    // A backward read starts before its position.
    const end = all?.hasEnd()
      ? entries.length
      : all?.hasPosition()
        ? log.from(Number(all.getPosition()?.getCommitPosition()))
        : 0
    return entries.slice(0, end).toReversed()
  }
  return all?.hasStart()
    ? [...entries]
    : all?.hasPosition()
      ? entries.slice(log.from(Number(all.getPosition()?.getCommitPosition())))
      : []
}

/** Answers the call itself when there is nothing to read. */
function ofStream(log: Readable, call: Call, options: Options): readonly Entry[] | null {
  const asked = options.getStream()
  const name = Buffer.from(asked?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()
  if (log.isDeleted(name)) {
    const metadata = new Metadata()
    metadata.set('exception', 'stream-deleted')
    metadata.set('stream-name', encodeURIComponent(name))
    call.emit('error', { code: status.FAILED_PRECONDITION, details: 'Deleted', metadata })
    return null
  }
  const entries = log.stream(name)
  if (!entries) {
    const missing = new pb.ReadResp.StreamNotFound()
    missing.setStreamIdentifier(asked?.getStreamIdentifier())
    const reply = new pb.ReadResp()
    reply.setStreamNotFound(missing)
    call.write(reply)
    call.end()
    return null
  }
  if (isBackwards(options)) return entries.toReversed()
  const from = asked?.hasRevision() ? Number(asked.getRevision()) : 0
  // A truncated stream begins at a later revision.
  return entries.slice(Math.max(0, from - (entries[0]?.revision ?? 0)))
}

async function subscribed(log: Readable, call: Call, options: Options, sent: Sent): Promise<void> {
  const confirmation = new pb.ReadResp.SubscriptionConfirmation()
  confirmation.setSubscriptionId(crypto.randomUUID())
  const confirmed = new pb.ReadResp()
  confirmed.setConfirmation(confirmation)
  await send(call, confirmed)

  const wanted = filterOf(options)
  const all = options.getAll()
  // A subscription starts after its position.
  let next = all?.hasPosition()
    ? log.from(Number(all.getPosition()?.getCommitPosition()) + 1)
    : all?.hasEnd()
      ? log.all.length
      : 0
  const perCheckpoint = eventsPerCheckpoint(options)
  let searched = 0
  const left = new AbortController()
  for (const name of ['cancelled', 'close']) call.on(name, () => left.abort())
  let hasCaughtUp = false
  while (!left.signal.aborted) {
    const entry = log.all[next]
    if (!entry) {
      if (!hasCaughtUp) {
        hasCaughtUp = true
        const reply = new pb.ReadResp()
        reply.setCaughtUp(new pb.ReadResp.CaughtUp())
        await send(call, reply)
      }
      await log.appended()
      continue
    }
    next += 1
    if (wanted(entry)) {
      sent.events += 1
      await send(call, eventReply(entry))
    }
    searched += 1
    if (searched % perCheckpoint === 0) await send(call, checkpoint(entry))
  }
}

/** A checkpoint comes after each search window × interval; without a filter none does. */
function eventsPerCheckpoint(options: Options): number {
  const filter = options.getFilter()
  if (!filter) return Number.POSITIVE_INFINITY
  return Math.max(1, filter.getMax()) * Math.max(1, filter.getCheckpointintervalmultiplier())
}

function filterOf(options: Options): Filter {
  const filter = options.getFilter()
  const about = filter?.getEventType() ?? filter?.getStreamIdentifier()
  if (!about) return () => true
  const [regex, prefixes] = [about.getRegex(), about.getPrefixList()]
  const expression = regex === '' ? null : new RegExp(regex)
  return ({ type, stream }) => {
    const text = filter?.hasEventType() ? type : stream
    return expression?.test(text) ?? prefixes.some((prefix) => text.startsWith(prefix))
  }
}

/** Applies backpressure: waits while the reader's buffer is full. */
async function send(call: Call, reply: ReadRespType): Promise<void> {
  if (call.write(reply)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      for (const name of ['drain', 'cancelled', 'close', 'error']) call.off(name, done)
      resolve()
    }
    for (const name of ['drain', 'cancelled', 'close', 'error']) call.on(name, done)
  })
}

function checkpoint({ position }: Entry): ReadRespType {
  const point = new pb.ReadResp.Checkpoint()
  point.setCommitPosition(String(position))
  point.setPreparePosition(String(position))
  const reply = new pb.ReadResp()
  reply.setCheckpoint(point)
  return reply
}

function eventReply({
  id,
  stream,
  revision,
  position,
  type,
  contentType,
  created,
  data,
  metadata,
}: Entry): ReadRespType {
  const uuid = new shared.UUID()
  uuid.setString(id)
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(stream).toString('base64'))
  const event = new pb.ReadResp.ReadEvent.RecordedEvent()
  event.setId(uuid)
  event.setStreamIdentifier(name)
  event.setStreamRevision(String(revision))
  event.setCommitPosition(String(position))
  event.setPreparePosition(String(position))
  event.getMetadataMap().set('type', type).set('content-type', contentType).set('created', created)
  event.setData(data)
  event.setCustomMetadata(metadata)
  const read = new pb.ReadResp.ReadEvent()
  read.setEvent(event)
  read.setCommitPosition(String(position))
  const reply = new pb.ReadResp()
  reply.setEvent(read)
  return reply
}
