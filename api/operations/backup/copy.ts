/** Copies a data folder whose databases are frozen meanwhile, verifies the copies, and writes the manifest last. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isHash } from '../../features/media/port.ts'
import { copyImages } from './copy-images.ts'
import { copied, entriesIn, onDisk } from './disk.ts'
import { finish } from './finish.ts'
import { databasesIn, imagesFolder } from './files.ts'

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
  const hashes = (await entriesIn(join(dataDir, imagesFolder)))
    .map(({ name }) => name)
    .filter(isHash)
    .sort()
  const images = await copyImages(hashes, join(into, imagesFolder), earlier, (hash, file) =>
    copied(join(dataDir, imagesFolder, hash), file),
  )
  // A server would refuse to start with these files too.
  const withoutRecords = present.includes('records.db')
    ? null
    : `records.db is missing or empty in ${dataDir}, but there is an event log: no user could sign in. Put it back, or restore the newest backup.`
  await finish({ into, at, version, present, secrets, images, withoutRecords })
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
