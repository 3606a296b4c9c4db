/** Verifies a receipt from its text and the public keys alone. */
import { readFile, stat } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { receiptSchema, type ReceiptStatement } from '../../contract/receipts.ts'
import { SignatureProblem, verifySigned } from '../../features/audit/signing.ts'
import { exitCodes, type Out } from './commands.ts'

/** A receipt has about 2 kB; an export is longer, or has lines. */
const maxBytes = 64 * 1024

/** The text of a receipt; null for any other file. */
export async function receiptIn(file: string): Promise<string | null> {
  if ((await stat(file)).size > maxBytes) return null
  const text = (await readFile(file, 'utf8')).trim()
  return text.startsWith('ey') && !text.includes('\n') && text.split('.').length === 3 ? text : null
}

export async function checkReceipt(signed: string, jwks: JSONWebKeySet, out: Out): Promise<number> {
  try {
    const statement = receiptSchema.parse(await verifySigned(jwks, 'receipt', signed))
    for (const line of linesOf(statement)) await out(`${line}\n`)
    await out('The receipt is unchanged since it was signed.\n')
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof SignatureProblem)) throw error
    await out(`${error.message}\n`)
    return exitCodes.differs
  }
}

const said = { approve: 'approved', changes: 'asked for changes to', hold: 'put on hold' } as const
const proofs = { code: 'proved by a code by mail', named: 'only named' } as const

function linesOf(statement: ReceiptStatement): string[] {
  const { reviewerId, verified, verdict, submission, postId, step, at, event } = statement
  const { contentHash, mediaHash, approvalHash, skipped } = statement
  return [
    `Reviewer ${reviewerId} (${proofs[verified]}) ${said[verdict]} version ${submission} of post ${postId} at ${at}.`,
    ...(step === null ? [] : [`It fulfilled the step ${JSON.stringify(step)}.`]),
    `Text: SHA-256 ${contentHash}. Image: ${mediaHash === null ? 'none' : `SHA-256 ${mediaHash}`}.`,
    ...(approvalHash === null ? [] : [`Approval: ${approvalHash}.`]),
    `Event ${event.revision} of the post, ${event.type}: hash ${event.hash}.`,
    ...skipped.map((each) => `A step was skipped before at ${each.at}: ${JSON.stringify(each.reason)}.`),
  ]
}
