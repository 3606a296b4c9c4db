import { existsSync, statfsSync } from 'node:fs'

const path = '/dev/shm'
const minFreeBytes = 4e9

/**
 * Environment of the test runners: temporary folders in memory where there is room for them, because a write then waits
 * for no disk. Tests of full and failing disks mount their own.
 */
export function inMemory(): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {}
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < minFreeBytes ? {} : { TMPDIR: path }
}
