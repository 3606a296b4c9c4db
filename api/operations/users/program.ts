/** The command line about people, on records that are open here or inside a running server. */
import { CommanderError, Command } from 'commander'
import { factorsTable } from '../../features/auth/factors.ts'
import { oidcLinksTable } from '../../features/auth/oidc/links.ts'
import { resetFactors } from '../../features/auth/reset-factors.ts'
import type { SecurityLog } from '../../features/auth/security-log.ts'
import { Users } from '../../features/auth/users.ts'
import type { Clock } from '../../core/clock.ts'
import { MailFailed, type Mail, type Message } from '../../features/mail/port.ts'
import type { Records } from '../../records/port.ts'

export const exitCodes = { ok: 0, unknown: 1, usage: 2, unavailable: 4 } as const

type Out = (text: string) => void

export interface UserStores {
  readonly records: Records
  readonly clock: Clock
  readonly securityLog: Pick<SecurityLog, 'done'>
  readonly publicUrl: string
  /** Null: this installation can't send mail. */
  readonly openMail: () => Promise<Mail | null>
}

export interface Around {
  readonly out: Out
  readonly warn: Out
  readonly withRecords: (run: (stores: UserStores) => Promise<number>) => Promise<number>
}

/** Returns an exit code. @param args without the program's name */
export async function runUsers(args: readonly string[], { out, warn, withRecords }: Around): Promise<number> {
  let code: number = exitCodes.ok
  const program = new Command('npm run users --')
    .description('Helps people with their accounts.')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: warn })
  program
    .command('reset-factors')
    .argument('<email>')
    .description(
      'remove the passkeys, the authenticator app, the recovery codes and the link to single sign-on of a person',
    )
    .action(async (email: string) => {
      code = await withRecords((stores) => reset(stores, email, out, warn))
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    throw error
  }
}

async function reset(stores: UserStores, typed: string, out: Out, warn: Out): Promise<number> {
  const { records, clock, securityLog, publicUrl } = stores
  const email = typed.trim().toLowerCase()
  const users = await Users.open(records, clock)
  const user = await users.withEmail(email)
  if (!user) {
    warn(`There is no account with the address ${email}.\n`)
    return exitCodes.unknown
  }
  const table = await records.table(factorsTable)
  const links = await records.table(oidcLinksTable)
  const factors = {
    async removeAll(id: string) {
      const hadLink = await links.remove(id)
      return (await table.remove(id)) || hadLink
    },
  }
  const tell = (message: Message) => mailed(stores, message, warn)
  const hadSome = await resetFactors({ users, factors, securityLog, tell, publicUrl }, user.id, 'operator')
  out(
    hadSome
      ? `Removed the second factors of ${email}. The password alone signs in again.\n`
      : `${email} has no second factors. Nothing was changed.\n`,
  )
  return exitCodes.ok
}

/** The factors are removed already: a mail that can't be sent is reported, and changes nothing. */
async function mailed({ openMail }: UserStores, message: Message, warn: Out): Promise<void> {
  const mail = await openMail()
  if (!mail) return warn('No mail was sent: this installation has no mail server. Tell the person yourself.\n')
  try {
    await mail.send(message)
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    warn(`No mail was sent: ${error.reason}. Tell the person yourself.\n`)
  } finally {
    await mail.close()
  }
}
