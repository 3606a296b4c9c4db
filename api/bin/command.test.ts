/** @module-tag long */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as audit from './commands/audit.ts'
import * as billing from './commands/billing.ts'
import * as restore from './commands/restore.ts'
import * as tokens from './commands/tokens.ts'
import * as users from './commands/users.ts'
import { run } from './test/run.ts'
import { compiled } from '../../domain/test/compiled.ts'

const commands = Object.entries({ audit, billing, restore, tokens, users })

const node = (...args: readonly string[]) => promisify(execFile)(process.execPath, args)
const start = (...args: readonly string[]) => node(compiled('api/bin/command.ts'), ...args)

it.each(commands)('npm run %s prints its usage', async (name, command) => {
  const usage = await run(command, ['--help'], {})
  expect(usage).toMatchObject({ code: 0, text: expect.stringMatching(`^Usage: npm run ${name}`), errors: '' })
})

// At the same time: each starts a process.
describe.concurrent('As a process', () => {
  it('a command line prints its usage', async () => {
    expect(await start('audit', '--help')).toEqual({
      stdout: expect.stringMatching(/^Usage: npm run audit/),
      stderr: '',
    })
  })
  it('an unknown command line prints the known ones, with exit code 2', async () => {
    await expect(start('nonsense')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no command line named nonsense\. Choose one of: audit, backup, /),
    })
  })
  it('an expected error is printed without a stack and sets the exit code', async () => {
    await expect(start('restore', 'nowhere')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no nowhere in [^\n]*\n$/),
    })
  })
  it('a command line ends with its own exit code, also where it waits for nothing that keeps a process alive', async () => {
    const script = `import { runInProcess } from '${compiled('api/bin/shell.ts')}'
      const main = () => new Promise((resolve) => setTimeout(resolve, 50, 7).unref())
      await runInProcess({ main, failureOf: () => null }, [])`
    await expect(node('--input-type=module', '--eval', script)).rejects.toMatchObject({ code: 7, stderr: '' })
  })
})
