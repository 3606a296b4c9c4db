/** The line formats of an export, for writing and reading. */
import { z } from 'zod'
import { scopeSchema } from '../../../domain/auditor-link/commands.ts'

export const exportVersion = 1

const filters = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  clientId: z.string().nullable(),
  status: z.string().nullable(),
})
export type Filters = z.infer<typeof filters>

const about = {
  format: z.literal(exportVersion),
  agencyId: z.string(),
  scope: scopeSchema,
  filters,
  exportedAt: z.string(),
}

/** `n` numbers the lines from 1, so that a gap shows. */
export const headerLine = z.object({ n: z.int(), kind: z.literal('export'), ...about })
/** Precedes a stream's events: their range, and the hash of the last one. */
export const streamLine = z.object({
  n: z.int(),
  kind: z.literal('stream'),
  stream: z.string(),
  first: z.int(),
  last: z.int(),
  hash: z.string(),
})
export const eventLine = z.object({
  n: z.int(),
  kind: z.literal('event'),
  stream: z.string(),
  revision: z.int(),
  name: z.string(),
  data: z.record(z.string(), z.json()),
  metadata: z.looseObject({ at: z.string(), hash: z.string(), prevHash: z.string().nullable() }),
})
export const manifestLine = z.object({ n: z.int(), kind: z.literal('manifest'), manifest: z.string() })

/** The signed content. */
export const manifestSchema = z.object({
  ...about,
  streams: z.int(),
  events: z.int(),
  /** SHA-256 (hex) over every byte before the manifest's line. */
  digest: z.string(),
  /** Merkle root over the exported streams. */
  root: z.string(),
  /** The log's last checkpoint at the time of the export; null when there was none. */
  checkpoint: z.string().nullable(),
})
export type Manifest = z.infer<typeof manifestSchema>

/** A stream's leaf in the export's Merkle tree. */
export const exportLeaf = ({
  stream,
  first,
  last,
  hash,
}: Pick<z.infer<typeof streamLine>, 'stream' | 'first' | 'last' | 'hash'>): string =>
  JSON.stringify([stream, first, last, hash])

/** The first cell of the manifest's line in a CSV file. */
export const csvManifest = '#manifest'
