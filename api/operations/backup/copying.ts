/** The copying process: separate, because closing a file that the server has open would drop the server's lock. */
import { setPriority } from 'node:os'
import { copyInto, type Job } from './copy.ts'
import { diskSentence } from './disk.ts'

export type Said =
  | { readonly isCopied: true }
  | { readonly damagedImages: readonly string[] }
  | { readonly failed: string }

/** A low priority: requests go first. */
const patient = 10

const say = (said: Said) => new Promise<void>((resolve) => void process.send?.(said, () => resolve()))

// The parent process is gone: the next backup removes the partial one.
process.on('disconnect', () => process.exit(1))
process.once('message', (job: Job) => {
  setPriority(patient)
  copyInto(job, () => say({ isCopied: true }))
    .then((damagedImages) => say({ damagedImages }))
    .catch((error: unknown) =>
      say({ failed: diskSentence(error) ?? (error instanceof Error ? error.message : String(error)) }),
    )
    .finally(() => process.disconnect())
})
