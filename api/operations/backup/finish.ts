/** Verifies the copies of a backup, and writes the manifest last. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { StoreUnavailable, type EventStore } from '../../../domain/event-store/port.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { verifyLog } from '../audit/verify-log.ts'
import type { CopiedImages } from './copy-images.ts'
import { factsOf, onDisk } from './disk.ts'
import { logFile, manifestName } from './files.ts'
import type { FileFacts, Manifest } from './manifest.ts'

export interface Copies {
  readonly into: string
  readonly at: string
  readonly version: string
  /** The names of the copied databases. */
  readonly present: readonly string[]
  /** The names of the copied files of `secrets`. */
  readonly secrets: readonly string[]
  readonly images: CopiedImages
  /** The reason why there is no backup of a log with events, which has no records; null where there are some. */
  readonly withoutRecords: string | null
}

/** @throws Error with a sentence when a copy is damaged */
export async function finish({
  into,
  at,
  version,
  present,
  secrets,
  images,
  withoutRecords,
}: Copies): Promise<Manifest> {
  for (const name of present) mustBeWhole(into, name)
  const { log, problems } = await goThrough(join(into, logFile))
  if (log.events > 0 && withoutRecords !== null) throw new Error(withoutRecords)
  const files: FileFacts[] = []
  // Digests last: reading a database may change its header.
  for (const path of [...present, ...secrets.map((name) => `secrets/${name}`)]) {
    await onDisk(join(into, path))
    files.push({ path, ...(await factsOf(join(into, path))) })
  }
  const damaged = images.damaged.map((hash) => `The image ${hash} is damaged and was left out.`)
  const manifest: Manifest = {
    format: 1,
    at,
    version,
    log,
    problems: [...problems, ...damaged],
    files: [...files, ...images.facts],
  }
  await writeManifest(into, manifest)
  return manifest
}

/** @throws Error with a sentence */
function mustBeWhole(folder: string, name: string): void {
  const problem = damageIn(join(folder, name))
  if (problem !== null)
    throw new Error(`${name} is damaged (${problem}). Check the disk, and restore the newest backup.`)
}

function damageIn(file: string): string | null {
  try {
    const sqlite = new SqliteFile(file, { synchronous: 'FULL' })
    try {
      const [first] = sqlite.prepare('PRAGMA integrity_check(1)').all()
      // Removes a prefix with the schema's name, which says nothing to an operator.
      return first?.[0] === 'ok' ? null : String(first?.[0]).replace(/^\*\*\*.*\*\*\*\s*/, '')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (error instanceof StoreUnavailable && error.cause instanceof Error) return error.cause.message
    throw error
  }
}

async function goThrough(file: string): Promise<{ log: Manifest['log']; problems: readonly string[] }> {
  const events = await openEmbeddedEventStore(file)
  try {
    const { ledger, problems } = await verifyLog(events, [])
    return { log: { events: ledger.events, position: ledger.position, first: await firstHashOf(events) }, problems }
  } finally {
    await events.close()
  }
}

async function firstHashOf(events: EventStore): Promise<string | null> {
  for await (const [first] of events.readAll(null)) return first?.metadata.hash ?? null
  return null
}

async function writeManifest(into: string, manifest: Manifest): Promise<void> {
  const file = await open(join(into, manifestName), 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(manifest)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await onDisk(into)
}
