/** The files of a data folder and of a backup. The copying process loads this without what reads manifests. */
import { join } from 'node:path'
import { sizeOf } from './disk.ts'

export const manifestName = 'manifest.json'
/** The suffix of a folder that is being filled or removed. */
export const unfinished = '.unfinished'
export const imagesFolder = 'media'
export const logFile = 'events.db'
/** Views are left out: they are rebuilt from the log. */
export const databases = [logFile, 'records.db', 'sandbox.db'] as const

/** The databases in a folder. An empty file is not one, and stays empty: opening it would turn it into one. */
export async function databasesIn(folder: string): Promise<readonly string[]> {
  const present: string[] = []
  for (const name of databases) if ((await sizeOf(join(folder, name))) > 0) present.push(name)
  return present
}
