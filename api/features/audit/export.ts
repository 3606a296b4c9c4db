/** Exports all events as a file that can be verified: one line per event, and a signed manifest at the end. */
import { createHash } from 'node:crypto'
import { MerkleTree } from '../../../domain/audit/merkle.ts'
import type { Scope } from '../../../domain/auditor-link/commands.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { yieldToEventLoop } from '../../../domain/event-store/yield-to-event-loop.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import { weightOf } from '../../../projections/core/weight.ts'
import type { Views } from '../../../projections/registry.ts'
import { csvHeader, csvLine, csvRow } from './csv.ts'
import { csvManifest, exportLeaf, exportVersion, type Filters, type Manifest } from './export-format.ts'
import { eventsUpTo, streamsIn, type AuditScope } from '../history/scope.ts'
import type { Signer } from './signing.ts'

export interface ExportPorts {
  readonly events: EventStore
  readonly views: Pick<Views, 'streams'>
  readonly signer: Signer
  /** The log's last checkpoint, signed; null when there is none yet. */
  readonly checkpoint: () => Promise<string | null>
}

export interface ExportAsked {
  readonly scope: AuditScope
  readonly filters: Filters
  readonly format: 'jsonl' | 'csv'
  readonly at: string
}

const readsBetweenYields = 16

/** The lines, with line ends. Memory use does not grow with the export: long streams are read one event at a time. */
export async function* exportLines(
  ports: ExportPorts,
  { scope, filters, format, at }: ExportAsked,
): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const tree = new MerkleTree()
  let n = 0
  let events = 0
  const wide: AuditScope = { ...scope, clientId: scope.clientId ?? filters.clientId }
  const named: Scope = scope.clientId === null ? { kind: 'agency' } : { kind: 'client', clientId: scope.clientId }
  const about = { format: exportVersion, agencyId: scope.agencyId, scope: named, filters, exportedAt: at } as const
  const isCsv = format === 'csv'
  const line = (kind: string, rest: object): string => {
    n += 1
    return `${JSON.stringify({ n, kind, ...rest })}\n`
  }
  const counted = (text: string): string => {
    digest.update(text)
    return text
  }

  yield counted(isCsv ? csvLine(csvHeader) : line('export', about))
  let seen = 0
  for await (const { id, firstAt, kind } of streamsIn(wide, ports.views)) {
    // A scan without matches never waits, so it yields to the event loop now and then for other requests.
    if (++seen % readsBetweenYields === 0) await yieldToEventLoop()
    if (filters.to !== null && firstAt > filters.to) continue
    if (filters.status !== null && kind !== 'post') continue
    const found = await survey(ports.events, id, filters)
    if (!found) continue
    const { first, last, hash, count } = found
    const stream = { stream: id, first, last, hash }
    tree.add(exportLeaf(stream))
    events += count
    if (!isCsv) yield counted(line('stream', stream))
    for await (const event of found.events())
      yield counted(isCsv ? csvLine(csvRow(event)) : line('event', written(event)))
  }
  const manifest: Manifest = {
    ...about,
    streams: tree.size,
    events,
    digest: digest.digest('hex'),
    root: tree.root(),
    checkpoint: await ports.checkpoint(),
  }
  const signed = await ports.signer.sign('export', manifest)
  yield isCsv ? csvLine([csvManifest, signed]) : line('manifest', { manifest: signed })
}

const written = ({ stream, revision, name, data, metadata }: StoredEvent) => ({
  stream,
  revision,
  name,
  data,
  metadata,
})

/** A stream of up to this size is kept in memory after the survey; a longer one is read a second time. */
const maxKept = 1_000_000

interface Surveyed {
  readonly first: number
  readonly last: number
  /** The last event's hash. */
  readonly hash: string
  readonly count: number
  readonly events: () => AsyncIterable<StoredEvent> | Iterable<StoredEvent>
}

/**
 * Finds where the wanted part of a stream begins and ends, which its header line states before its events. Null when no
 * event is wanted.
 */
async function survey(store: EventStore, stream: string, { from, to, status }: Filters): Promise<Surveyed | null> {
  let first: number | null = null
  let last = { revision: -1, hash: '' }
  let count = 0
  let post = initialPost
  let kept: StoredEvent[] | null = []
  let weight = 0
  for await (const event of eventsUpTo(store, stream, to)) {
    if (status !== null) post = evolvePost(post, recorded(event) as unknown as PostEvent)
    if (from !== null && event.metadata.at < from) continue
    first ??= event.revision
    last = { revision: event.revision, hash: event.metadata.hash }
    count += 1
    weight += weightOf(event.data)
    if (weight > maxKept) kept = null
    kept?.push(event)
  }
  if (first === null || (status !== null && statusOf(post) !== status)) return null
  const [begin, end, few] = [first, last.revision, kept]
  return { first: begin, last: end, hash: last.hash, count, events: () => few ?? between(store, stream, begin, end) }
}

/** The events as surveyed: those appended since come after `last`. */
async function* between(store: EventStore, stream: string, first: number, last: number): AsyncGenerator<StoredEvent> {
  for await (const event of eventsUpTo(store, stream, null, first)) {
    if (event.revision > last) return
    yield event
  }
}

/** The post's outcome: its status, or `deleted`. */
const statusOf = ({ deleted, status }: Post): string => (deleted ? 'deleted' : status)
