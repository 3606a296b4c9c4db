/** Everything that happened, as a file that proves itself: one line an event, and a signed manifest at the end. */
import { createHash } from 'node:crypto'
import { MerkleTree } from '../../domain/audit/merkle.ts'
import type { Scope } from '../../domain/auditor-link/commands.ts'
import type { StoredEvent } from '../../domain/core/event.ts'
import { breath } from '../../domain/event-store/breath.ts'
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { Views } from '../../projections/registry.ts'
import { postAfter } from '../streams.ts'
import { csvHeader, csvLine, csvRow } from './csv.ts'
import { csvManifest, exportLeaf, exportVersion, type Filters, type Manifest } from './export-format.ts'
import { eventsOf, streamsIn, type AuditScope } from './scope.ts'
import type { Signer } from './signing.ts'

export interface ExportPorts {
  readonly events: EventStore
  readonly views: Pick<Views, 'streams'>
  readonly signer: Signer
  /** The log's last checkpoint, signed; null when none was made yet. */
  readonly checkpoint: () => Promise<string | null>
}

export interface ExportAsked {
  readonly scope: AuditScope
  readonly filters: Filters
  readonly format: 'jsonl' | 'csv'
  readonly at: string
}

const readsABreath = 16

/** The lines with their ends. Memory stays the same however much is exported: one stream at a time. */
export async function* exportLines(ports: ExportPorts, { scope, filters, format, at }: ExportAsked): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const tree = new MerkleTree()
  let n = 0
  let events = 0
  const wide: AuditScope = { agencyId: scope.agencyId, clientId: scope.clientId ?? filters.clientId }
  const named: Scope = scope.clientId === null ? { kind: 'agency' } : { kind: 'client', clientId: scope.clientId }
  const about = { format: exportVersion, agencyId: scope.agencyId, scope: named, filters, exportedAt: at } as const
  const isCsv = format === 'csv'
  const line = (kind: string, rest: object): string => {
    n += 1
    return `${JSON.stringify({ n, kind, ...rest })}\n`
  }
  const told = (text: string): string => {
    digest.update(text)
    return text
  }

  yield told(isCsv ? csvLine(csvHeader) : line('export', about))
  let seen = 0
  for await (const { id, firstAt, kind } of streamsIn(wide, ports.views)) {
    // Where nothing matches, nothing is waited for either: what others ask comes in between.
    if (++seen % readsABreath === 0) await breath()
    if (filters.to !== null && firstAt > filters.to) continue
    if (filters.status !== null && kind !== 'post') continue
    const all = await eventsOf(ports.events, id, filters.to)
    if (filters.status !== null && statusOf(all) !== filters.status) continue
    const wanted = all.filter(({ metadata }) => filters.from === null || metadata.at >= filters.from)
    const [first, last] = [wanted[0], wanted.at(-1)]
    if (!first || !last) continue
    const stream = { stream: id, first: first.revision, last: last.revision, hash: last.metadata.hash }
    tree.add(exportLeaf(stream))
    events += wanted.length
    if (!isCsv) yield told(line('stream', stream))
    for (const event of wanted) yield told(isCsv ? csvLine(csvRow(event)) : line('event', written(event)))
  }
  const manifest: Manifest = { ...about, streams: tree.size, events, digest: digest.digest('hex'), root: tree.root(), checkpoint: await ports.checkpoint() }
  const signed = await ports.signer.sign('export', manifest)
  yield isCsv ? csvLine([csvManifest, signed]) : line('manifest', { manifest: signed })
}

const written = ({ stream, revision, name, data, metadata }: StoredEvent) => ({ stream, revision, name, data, metadata })

/** What became of a post up to the last of its events: its status, or `deleted`. */
export function statusOf(events: readonly StoredEvent[]): string {
  const post = postAfter(events.map(recorded))
  return post.deleted ? 'deleted' : post.status
}
