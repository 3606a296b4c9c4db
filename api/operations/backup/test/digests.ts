/** What two installations have in common, whatever their stores are: digests of the log, the records and the images. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { StoredEvent } from '../../../../domain/core/event.ts'
import type { EventStore } from '../../../../domain/event-store/port.ts'
import { Projector } from '../../../../projections/core/projector.ts'
import { contents, temporaryStores } from '../../../../projections/core/test/helpers.ts'
import { projections } from '../../../../projections/registry.ts'
import type { MediaStore } from '../../../features/media/port.ts'
import type { RecordSource } from '../../../records/source.ts'

export const digestOf = (lines: Iterable<string>): string => {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/** In the log's order, without positions: each log has its own. */
export async function linesOfLog(log: Pick<EventStore, 'readAll'>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const batch of log.readAll(null))
    for (const { position: _, ...event } of batch) if (isOurs(event)) lines.push(canonicalize(event) ?? '')
  return lines
}

export const isOurs = ({ metadata }: Pick<StoredEvent, 'metadata'>): boolean => metadata?.hash !== undefined

/** Ended by a restore, or the store's own. */
const without = ['sessions', 'mailed_links', 'sign_ins', 'oidc_consents', 'letters', 'moves', 'checkpoints', 'leases']

/** By table. */
export async function digestsOfRecords({ tables }: RecordSource): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = {}
  for (const { definition, records } of tables) {
    if (without.includes(definition.table)) continue
    const lines: string[] = []
    for await (const page of records()) for (const record of page) lines.push(canonicalize(record) ?? '')
    if (lines.length > 0) digests[definition.table] = digestOf(lines.sort())
  }
  return digests
}

export async function digestsOfImages(
  media: Pick<MediaStore, 'read'>,
  hashes: Iterable<string> | AsyncIterable<string>,
): Promise<readonly string[]> {
  const digests: string[] = []
  for await (const hash of hashes)
    digests.push(
      createHash('sha256')
        .update((await media.read(hash)) ?? '')
        .digest('hex'),
    )
  return digests.sort()
}

/** Of all read models, built from the log from its beginning. */
export async function digestsOfViews(events: EventStore): Promise<Readonly<Record<string, string>>> {
  const on = await temporaryStores()
  try {
    const projector = new Projector(projections, { events, store: on.store, onError: () => undefined })
    await projector.start()
    await projector.stop()
    const digests: Record<string, string> = {}
    for (const { name } of projections) {
      const documents = await contents(on.store, (await on.store.live(name)) ?? '')
      digests[name] = digestOf([...documents].map(([id, { doc }]) => canonicalize({ id, doc }) ?? '').sort())
    }
    return digests
  } finally {
    await on.remove()
  }
}
