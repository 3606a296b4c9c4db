/** The commands that verify and sign the log: what it is compared with, and what that can't prove. */
import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { Ledger, type Head } from '../../../domain/audit/ledger.ts'
import { UnreadableEvent } from '../../../domain/event-store/port.ts'
import { checkpointSchema, type Checkpoint } from '../../features/audit/checkpoints.ts'
import { exitCodes, WrongUsage, type AuditStores, type Out } from './commands.ts'
import type { Kept } from './comparison.ts'
import { SignatureProblem, verifySigned } from '../../features/audit/signing.ts'
import { verifyLog } from './verify-log.ts'
import { wholeLog } from './whole-log.ts'

export interface LogCheck {
  /** The path of a checkpoint file kept elsewhere. */
  readonly checkpoint: string | null
  readonly jwks: JSONWebKeySet | null
}

export async function checkLog(
  { events, signer, checkpoints }: Pick<AuditStores, 'events' | 'signer' | 'checkpoints'>,
  asked: LogCheck,
  out: Out,
): Promise<number> {
  const outside = asked.checkpoint === null ? null : await readCheckpoint(asked.checkpoint, asked.jwks ?? signer.jwks)
  const own = await checkpoints.newestTrusted()
  const { problems, isAsSigned, ledger } = await verifyLog(
    events,
    [outside ?? [], own ? { checkpoint: own, heads: null } : []].flat(),
  )
  for (const problem of problems) await out(`${problem}\n`)
  if (problems.length > 0) {
    if (!isAsSigned && !outside?.heads)
      await out('To see which streams changed, give a checkpoint made by npm run audit -- checkpoint.\n')
    return exitCodes.differs
  }
  await out(`The hash chains are intact: ${ledger.events} events in ${ledger.streams} streams.\n`)
  if (outside)
    await out(
      `The log still matches the given checkpoint of ${outside.checkpoint.at}: ${covered(outside.checkpoint)}.\n`,
    )
  if (own) await out(`The log still matches the newest hourly checkpoint of ${own.at}: ${covered(own)}.\n`)
  await out(`${leftOpen(ledger.events, outside, own)}\n`)
  return exitCodes.ok
}

const counted = (events: number): string => `${events} ${events === 1 ? 'event' : 'events'}`
const coversOrder = (checkpoint: Checkpoint): boolean => checkpoint.version === 2 || checkpoint.order !== undefined
const covered = (checkpoint: Checkpoint): string =>
  `${counted(checkpoint.events)}${!coversOrder(checkpoint) ? '; this checkpoint does not cover their order across streams' : ', in their order'}`

function leftOpen(events: number, outside: Kept | null, own: Checkpoint | null): string {
  const behind = events - Math.max(outside?.checkpoint.events ?? 0, own?.events ?? 0)
  const hidden =
    'a stream whose hashes were recomputed after a change, or whose last events were removed, would go unnoticed'
  if (!outside && !own)
    return `There is no checkpoint to compare the log with: ${hidden}. Make one, keep it elsewhere, and give it with --checkpoint.`
  const later = behind === 0 ? '' : ` No checkpoint covers the newest ${counted(behind)}: there ${hidden}.`
  if (outside) return `The log was compared with the given checkpoint.${later}`
  return `The hourly checkpoints are stored beside the log, so an attacker who changes the log can remove them too: keep one elsewhere, and give it with --checkpoint.${later}`
}

/** Signs a checkpoint with the ends of all streams, so that events removed later can be named. */
export async function writeCheckpoint(
  { events, checkpoints, clock }: AuditStores,
  out: Out,
  warn: Out,
): Promise<number> {
  const ledger = new Ledger()
  for await (const batch of wholeLog(events)) {
    for (const event of batch) {
      const flaw = event instanceof UnreadableEvent ? event.place : ledger.take(event)
      if (!flaw) continue
      await warn(
        `Nothing was signed: event ${flaw.revision} of ${flaw.stream} was changed. Run npm run audit -- verify for details.\n`,
      )
      return exitCodes.differs
    }
  }
  const signed = await checkpoints.sign(ledger.tree, clock.now())
  if (!signed) throw new WrongUsage('The log is empty: there is nothing to sign.')
  await out(`${JSON.stringify({ signed: signed.signed })}\n`)
  for await (const [stream, { revision, hash }] of ledger.heads())
    await out(`${JSON.stringify([stream, revision, hash])}\n`)
  return exitCodes.ok
}

const firstLine = z.object({ signed: z.string() })
const headLine = z.tuple([z.string(), z.int(), z.string()])

/** A checkpoint from the command line or the screen: the signature alone, or with the ends of all streams. */
async function readCheckpoint(file: string, jwks: JSONWebKeySet): Promise<Kept> {
  const [first = '', ...rest] = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const jws = first.startsWith('{') ? written(file, 1, firstLine, first).signed : first.trim()
  const signed = await verifySigned(jwks, 'checkpoint', jws).catch((error: unknown) => {
    throw error instanceof SignatureProblem
      ? new WrongUsage(`${file} is no checkpoint of this installation. ${error.message}`)
      : error
  })
  const heads = new Map<string, Head>()
  for (const [index, line] of rest.entries()) {
    const [stream, revision, hash] = written(file, index + 2, headLine, line)
    heads.set(stream, { revision, hash })
  }
  const checkpoint = checkpointSchema.safeParse(signed)
  if (!checkpoint.success) throw new WrongUsage(`${file} is a checkpoint that this version can't read.`)
  return { checkpoint: checkpoint.data, heads: heads.size > 0 ? heads : null }
}

function written<T extends z.ZodType>(file: string, line: number, schema: T, text: string): z.output<T> {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new WrongUsage(`${file} is no checkpoint: line ${line} can't be read as part of one.`)
  }
}
