import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { run } from './test/run.ts'

const start = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'api/bin/command.ts', ...args])

it('a command line prints its usage', async () => {
  expect(await start('audit', '--help')).toEqual({ stdout: expect.stringMatching(/^Usage: npm run audit/), stderr: '' })
})
it.each(['audit', 'billing', 'restore', 'tokens'])('npm run %s prints its usage', async (name) => {
  const usage = await run(await import(`./commands/${name}.ts`), ['--help'], {})
  expect(usage).toMatchObject({ code: 0, text: expect.stringMatching(`^Usage: npm run ${name}`), errors: '' })
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
