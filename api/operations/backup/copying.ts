/** The program that copies: a process of its own, because closing a file that this one has open would drop the server's lock on it. */
import { setPriority } from 'node:os'
import { copyInto, type Job } from './copy.ts'
import { diskSentence } from './disk.ts'

export type Said =
  { readonly isCopied: true } | { readonly damagedImages: readonly string[] } | { readonly failed: string }

/** Requests go first. */
const patient = 10

const say = (said: Said) => new Promise<void>((resolve) => void process.send?.(said, () => resolve()))

// Whoever asked is gone: what is half done is swept by the next one.
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
