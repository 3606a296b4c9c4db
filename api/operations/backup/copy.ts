/** Copies a data folder whose databases are frozen meanwhile, verifies the copies, and writes the manifest last. */
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { StoreUnavailable, type EventStore } from '../../../domain/event-store/port.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { verifyLog } from '../audit/verify-log.ts'
import { isHash } from '../../features/media/port.ts'
import { copied, entriesIn, factsOf, onDisk } from './disk.ts'
import { databasesIn, imagesFolder, logFile, manifestName, type FileFacts, type Manifest } from './manifest.ts'

export interface Job {
  readonly dataDir: string
  /** An empty folder. */
  readonly into: string
  /** An earlier backup, whose images can be shared. */
  readonly earlier: string | null
  readonly at: string
  readonly version: string
}

/** Returns the damaged images, which are left out. @param onCopied called once the databases may change again */
export async function copyInto(
  { dataDir, into, earlier, at, version }: Job,
  onCopied: () => Promise<void>,
): Promise<readonly string[]> {
  const present = await databasesIn(dataDir)
  for (const name of present) await copied(join(dataDir, name), join(into, name))
  await onCopied()

  const secrets = await copySecrets(join(dataDir, 'secrets'), join(into, 'secrets'))
  const images = await copyImages(
    join(dataDir, imagesFolder),
    join(into, imagesFolder),
    earlier === null ? null : join(earlier, imagesFolder),
  )
  for (const name of present) mustBeWhole(into, name)
  const { log, problems } = await goThrough(join(into, logFile))
  // A server would refuse to start with these files too.
  if (log.events > 0 && !present.includes('records.db'))
    throw new Error(
      `records.db is missing or empty in ${dataDir}, but there is an event log: no user could sign in. Put it back, or restore the newest backup.`,
    )
  const files: FileFacts[] = []
  // Digests last: reading a database may change its header.
  for (const path of [...present, ...secrets.map((name) => `secrets/${name}`)]) {
    await onDisk(join(into, path))
    files.push({ path, ...(await factsOf(join(into, path))) })
  }
  const damaged = images.damaged.map((hash) => `The image ${hash} is damaged and was left out.`)
  await writeManifest(into, {
    format: 1,
    at,
    version,
    log,
    problems: [...problems, ...damaged],
    files: [...files, ...images.facts],
  })
  return images.damaged
}

async function copySecrets(from: string, to: string): Promise<readonly string[]> {
  const names = (await entriesIn(from))
    .filter((entry) => entry.isFile() && /^[a-z-]+$/.test(entry.name))
    .map(({ name }) => name)
  await mkdir(to, { mode: 0o700 })
  for (const name of names.sort()) await copied(join(from, name), join(to, name))
  await onDisk(to)
  return names
}

/**
 * Images never change, so backups share their files with each other, but never with the live data.
 * An image that doesn't match its hash any more is copied from wherever a sound copy exists.
 */
async function copyImages(
  from: string,
  to: string,
  earlier: string | null,
): Promise<{ readonly facts: readonly FileFacts[]; readonly damaged: readonly string[] }> {
  await mkdir(to, { mode: 0o700 })
  const facts: FileFacts[] = []
  const damaged: string[] = []
  for (const hash of (await entriesIn(from))
    .map(({ name }) => name)
    .filter(isHash)
    .sort()) {
    const size =
      (earlier === null ? null : await linked(join(earlier, hash), join(to, hash), hash)) ??
      (await copiedImage(join(from, hash), join(to, hash), hash))
    if (size === null) damaged.push(hash)
    else facts.push({ path: `${imagesFolder}/${hash}`, size, sha256: hash })
  }
  await onDisk(to)
  return { facts, damaged }
}

/** Null without a file to share, or if the file system has no hard links. */
async function linked(from: string, to: string, hash: string): Promise<number | null> {
  const isLinked = await link(from, to).then(
    () => true,
    () => false,
  )
  return isLinked ? sizeOfSound(to, hash) : null
}

async function copiedImage(from: string, to: string, hash: string): Promise<number | null> {
  await copied(from, to)
  return sizeOfSound(to, hash)
}

/** Null for a file that doesn't match its hash; it is removed. */
async function sizeOfSound(file: string, hash: string): Promise<number | null> {
  const { size, sha256 } = await factsOf(file)
  if (sha256 === hash) return size
  await unlink(file)
  return null
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
