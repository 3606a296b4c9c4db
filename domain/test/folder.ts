/** Temporary folders of tests. */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What this process created and has not removed. */
const left = new Set<string>()

/**
 * Creates an empty folder for a test, which removes it with `removeFolder`. The end of the process removes what a
 * failed test leaves.
 *
 * @param name the start of the folder's name
 * @param within the folder around it: by default the system's folder for temporary files
 */
export async function temporaryFolder(name: string, within = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(within, `${name}-`))
  if (left.size === 0) process.once('exit', removeAll)
  left.add(folder)
  return folder
}

/** Removes a folder with its content; a missing one is no error. */
export async function removeFolder(folder: string): Promise<void> {
  // A file that a stopping server creates meanwhile makes the folder's removal fail with ENOTEMPTY.
  await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
  left.delete(folder)
  if (left.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const folder of left) rmSync(folder, { recursive: true, force: true })
}
