/** `npm run mail` in all its forms: on the records here, or inside the server that has them open. */
import { Command, CommanderError } from 'commander'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import type { LetterContent, LetterRecord } from '../../features/mail/letter-record.ts'
import type { Letters } from '../../features/mail/letters.ts'
import { ConfigError } from '../../runtime/config.ts'

interface Around {
  /** Runs on the letters here, or passes the arguments to the server that has them open. @throws StoreUnavailable */
  readonly withLetters: (run: (letters: Letters) => Promise<number>, args: readonly string[]) => Promise<number>
  /** Settles when more can be written. */
  readonly out: (text: string) => Promise<void>
  readonly errors: { write(text: string): unknown }
}

export const exitCodes = { ok: 0, usage: 1, unknown: 2, unavailable: 3 } as const
const maxListed = 200

/** Returns an exit code; only unforeseen errors are thrown. */
export async function runMail(args: readonly string[], { withLetters, out, errors }: Around): Promise<number> {
  let code: number = exitCodes.ok
  const on = async (run: (letters: Letters) => Promise<number>) => void (code = await withLetters(run, args))
  const program = new Command('npm run mail --')
    .description('The letters of this installation: those that wait, and for a week those sent and given up.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out(text), writeErr: (text) => void errors.write(text) })
  program
    .command('list')
    .description(`lists the newest letters, ${maxListed} at most`)
    .action(() => on((letters) => list(letters, out)))
  program
    .command('show <id>')
    .description('shows one letter with its text, which may hold a link that signs its reader in')
    .action((id: string) => on((letters) => show(letters, id, out, errors)))
  program
    .command('retry [id]')
    .option('--failed', 'all letters that were given up')
    .description('queues a letter that was given up or kept, or all that were given up, for eight more tries')
    .action((id: string | undefined, { failed = false }: { failed?: boolean }) =>
      on((letters) => retry(letters, id, failed, out, errors)),
    )
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (!(error instanceof ConfigError || error instanceof StoreUnavailable)) throw error
    errors.write(`${error.message}\n`)
    return error instanceof ConfigError ? exitCodes.usage : exitCodes.unavailable
  }
}

async function list(letters: Letters, out: Around['out']): Promise<number> {
  const newest: LetterRecord[] = []
  for await (const letter of letters.all()) {
    newest.push(letter)
    if (newest.length > maxListed) newest.shift()
  }
  if (newest.length === 0) await out('There are no letters.\n')
  for (const letter of newest) await out(`${letter.id}  ${letter.at}  ${letter.kind}  ${stateOf(letter)}\n`)
  return exitCodes.ok
}

async function show(letters: Letters, id: string, out: Around['out'], errors: Around['errors']): Promise<number> {
  const found = await letters.read(id)
  if (found === null) {
    errors.write(noLetter(id))
    return exitCodes.unknown
  }
  const { record, content } = found
  await out(`Letter: ${record.id}\nAbout: ${record.kind}\nAsked for: ${record.at}\nState: ${stateOf(record)}\n`)
  await out(textOf(record, content))
  return exitCodes.ok
}

async function retry(
  letters: Letters,
  id: string | undefined,
  allFailed: boolean,
  out: Around['out'],
  errors: Around['errors'],
): Promise<number> {
  if ((id === undefined) !== allFailed) {
    errors.write('Name one letter, or --failed for all that were given up.\n')
    return exitCodes.usage
  }
  if (id === undefined) {
    const queued = await letters.retryAll('failed')
    await out(`Queued ${queued} ${queued === 1 ? 'letter' : 'letters'}.\n`)
    return exitCodes.ok
  }
  const was = await letters.retry(id)
  if (was === 'none') {
    errors.write(noLetter(id))
    return exitCodes.unknown
  }
  await out(was === 'again' ? 'Queued.\n' : `Nothing was changed: the letter is ${was}.\n`)
  return exitCodes.ok
}

const noLetter = (id: string) => `There is no letter ${printable(id)}. npm run mail -- list shows them.\n`

function stateOf({ status, tries, nextAt, doneAt, reason }: LetterRecord): string {
  const after = tries === 1 ? 'after 1 try' : `after ${tries} tries`
  const because = reason === null ? '' : ` (${reason})`
  if (status === 'queued') return tries === 0 ? 'queued' : `queued, ${after}${because}, the next one at ${nextAt}`
  if (status === 'kept') return 'kept: no SMTP server is set'
  return status === 'failed' ? `failed ${after}${because} at ${doneAt}` : `${status} at ${doneAt}`
}

function textOf({ status, sealed }: LetterRecord, content: LetterContent | null): string {
  if (status === 'sent')
    return 'Its text was removed when it was sent. Without SMTP_URL, a server in one process puts it into DATA_DIR/outbox.\n'
  if (status === 'not needed') return 'Nothing had to be sent: there is no such account, or it was changed meanwhile.\n'
  if (content === null) return sealed === null ? 'It has no text.\n' : 'No encryption key that is set can decrypt it.\n'
  const { message, request } = content
  if (message) return `To: ${printable(message.to)}\nSubject: ${printable(message.subject)}\n\n${message.text}`
  const to = request?.['email']
  return `${typeof to === 'string' ? `To: ${printable(to)}\n` : ''}It is written when it is sent.\n`
}

const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ')
