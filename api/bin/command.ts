/**
 * `npm run audit`, `backup`, `billing`, `mail`, `move`, `projections`, `restore`, `secrets`, `tokens`, `users`: runs
 * the named command line.
 */
import { runInProcess, type CommandLine } from './shell.ts'
import { answerVersion } from './version.ts'

const commandLines: Readonly<Record<string, () => Promise<{ readonly commandLine: CommandLine }>>> = {
  audit: () => import('./commands/audit.ts'),
  backup: () => import('./commands/backup.ts'),
  billing: () => import('./commands/billing.ts'),
  mail: () => import('./commands/mail.ts'),
  move: () => import('./commands/move.ts'),
  projections: () => import('./commands/projections.ts'),
  restore: () => import('./commands/restore.ts'),
  secrets: () => import('./commands/secrets.ts'),
  tokens: () => import('./commands/tokens.ts'),
  users: () => import('./commands/users.ts'),
}

await answerVersion()
const [, , name = '', ...args] = process.argv
const load = commandLines[name]
if (load) {
  const { commandLine } = await load()
  await runInProcess(commandLine, args)
} else {
  console.error(`There is no command line named ${name}. Choose one of: ${Object.keys(commandLines).join(', ')}`)
  process.exitCode = 2
}
