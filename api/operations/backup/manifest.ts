/** A backup's manifest: written last, so that a folder without one is not a backup. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Instant } from '../../../domain/core/event.ts'
import { later } from '../../core/clock.ts'
import { entriesIn } from './disk.ts'
import { manifestName } from './files.ts'

const manifestSchema = z.object({
  format: z.literal(1),
  at: z.iso.datetime(),
  /** The product's version that made it. */
  version: z.string(),
  /**
   * `first`: the hash of the log's first event, which identifies an installation. Null for an empty log; absent in old
   * backups.
   */
  log: z.object({ events: z.int(), position: z.string().nullable(), first: z.string().nullable().optional() }),
  /** Sentences about flaws in the data at the time of the copy. */
  problems: z.array(z.string()),
  files: z.array(
    z.object({
      path: z.string().regex(/^\w[\w.-]*(\/\w[\w.-]*)?$/),
      size: z.int(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
})
export type Manifest = z.output<typeof manifestSchema>
export type FileFacts = Manifest['files'][number]

/** The default folder of the backups. */
export const folderOf = ({
  BACKUP_DIR,
  DATA_DIR,
}: {
  readonly BACKUP_DIR?: string | undefined
  readonly DATA_DIR: string
}): string => BACKUP_DIR ?? join(DATA_DIR, 'backups')

/** Without colons: not every file system allows them. */
export const nameOf = (at: Instant): string => at.replaceAll(':', '-')
const isName = (name: string) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/.test(name)

const instantOf = (name: string): Instant => name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')

export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}

/** @throws NoBackup with a sentence */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      throw new NoBackup(`${folder} is no backup: it has no ${manifestName}.`)
    throw error
  })
  const read = manifestSchema.safeParse(jsonOf(text))
  if (read.success) return read.data
  const format = z.object({ format: z.int().min(2) }).safeParse(jsonOf(text))
  throw new NoBackup(
    format.success
      ? `${folder} was made by a newer version of SocialAI. Restore it with that one.`
      : `${join(folder, manifestName)} is damaged. Restore another backup.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface Listed {
  readonly folder: string
  readonly at: Instant
  readonly manifest: Manifest
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await entriesIn(folder))
    .map(({ name }) => name)
    .filter(isName)
    .sort()

/** Tolerance for a clock that was slightly ahead; a backup dated later than that was made with a wrong clock. */
const clockMayDifferMs = 3_600_000

/** Whether the backup was made while the clock was ahead. */
export const isOfFuture = (at: Instant, now: Instant): boolean => at > later(now, clockMayDifferMs)

/** Whether two logs begin with the same event. An unknown or empty beginning counts as the same. */
export const isSameLog = (one: Manifest['log'], other: Manifest['log']): boolean =>
  one.first == null || other.first == null || one.first === other.first

/** A folder that lost its data gives a backup of an empty log, which is worth less than any other. */
export const hasEvents = ({ manifest }: Listed): boolean => manifest.log.events > 0

/**
 * When this installation's newest backup was made; null without one. @param first the hash of its log's first event,
 * null if unknown
 */
export async function newestIn(folder: string, now: Instant, first: string | null): Promise<Instant | null> {
  const own = { events: 0, position: null, first }
  for (const name of (await namesIn(folder)).toReversed()) {
    if (instantOf(name) > now) continue
    const manifest = await readManifest(join(folder, name)).catch(() => null)
    if (manifest && isSameLog(own, manifest.log)) return instantOf(name)
  }
  return null
}

/** The complete ones, oldest first. */
export async function backupsIn(folder: string): Promise<readonly Listed[]> {
  const listed: Listed[] = []
  for (const name of await namesIn(folder)) {
    const manifest = await readManifest(join(folder, name)).catch(() => null)
    if (manifest) listed.push({ folder: join(folder, name), at: manifest.at, manifest })
  }
  return listed
}
