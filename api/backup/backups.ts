/** The backups of a data folder: makes one, keeps the last few. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../domain/core/event.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { diskSentence, isThere, onDisk } from './disk.ts'
import { backupsIn, folderOf, logFile, nameOf, newestIn, readManifest, unfinished, type Listed } from './manifest.ts'
import { CantBackUp, snapshot } from './snapshot.ts'
import { productVersion } from '../version.ts'

export interface Made extends Listed {
  readonly bytes: number
  readonly removed: readonly Listed[]
}

export interface Backups {
  /** @throws CantBackUp, StoreUnavailable while another process has the data, whatever the signal aborts with; what was half done is gone then */
  make(signal: AbortSignal): Promise<Made>
  /** When the newest was made; null when there is none. One of the future was made while the clock was wrong. */
  newest(): Promise<Instant | null>
}

export function openBackups(config: Pick<Config, 'DATA_DIR' | 'BACKUP_DIR' | 'BACKUPS_KEPT'>, clock: Clock): Backups {
  const folder = folderOf(config)
  let isUnderWay = false

  async function make(signal: AbortSignal): Promise<Made> {
    if (!(await isThere(join(config.DATA_DIR, logFile)))) throw new CantBackUp(`There is no event log in ${config.DATA_DIR}. Set DATA_DIR to the folder of your data.`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await sweep(folder)
    const at = clock.now()
    const into = join(folder, nameOf(at))
    const aside = into + unfinished
    const earlier = (await backupsIn(folder)).at(-1)?.folder ?? null
    await mkdir(aside, { mode: 0o700 })
    try {
      await snapshot({ dataDir: config.DATA_DIR, into: aside, earlier, at, version: await productVersion() }, signal)
      await rename(aside, into)
    } catch (error) {
      await rm(aside, { recursive: true, force: true })
      throw error
    }
    await onDisk(folder)
    const manifest = await readManifest(into)
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
    return { folder: into, at, manifest, bytes, removed: await prune(folder, into, config.BACKUPS_KEPT) }
  }

  return {
    async make(signal) {
      if (isUnderWay) throw new CantBackUp('A backup is being made already.')
      isUnderWay = true
      try {
        return await make(signal)
      } catch (error) {
        const sentence = diskSentence(error)
        throw sentence === null ? error : new CantBackUp(sentence)
      } finally {
        isUnderWay = false
      }
    },
    newest: () => newestIn(folder, clock.now()),
  }
}

/** What a crash left half made or half removed. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.endsWith(`Z${unfinished}`)) await rm(join(folder, name), { recursive: true, force: true })
}

/** The newest in which everything was as it was written outlasts all that came after it with a flaw. */
async function prune(folder: string, made: string, kept: number): Promise<readonly Listed[]> {
  const all = await backupsIn(folder)
  const sound = all.findLast(({ manifest }) => manifest.problems.length === 0)
  const removed = all.slice(0, Math.max(0, all.length - kept)).filter((each) => each.folder !== made && each !== sound)
  for (const each of removed) {
    // Half of one must not pass for a whole one.
    const aside = each.folder + unfinished
    await rename(each.folder, aside)
    await rm(aside, { recursive: true, force: true })
  }
  return removed
}
