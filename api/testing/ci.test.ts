/**
 * `.ci/run` counts what its parts report: no error may be lost between a part and the last line.
 *
 * @module-tag long
 */
import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'

let base: string
beforeAll(async () => (base = await temporaryFolder('ci')))
afterAll(() => removeFolder(base))

let folders = 0
async function newFolder(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = join(base, String(++folders))
  await mkdir(folder)
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

interface Ran {
  readonly code: number
  readonly lines: readonly string[]
}

const ran = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile(program, args, { env: { ...process.env, ...env } }, (error, output) =>
      done({ code: error ? Number(error.code) : 0, lines: output.trimEnd().split('\n') }),
    )
  })

type Status = 'passed' | 'failed' | 'skipped'
const reportOf = (tests: Readonly<Record<string, Status>>) => ({
  testResults: [
    {
      name: resolve('a.test.ts'),
      status: Object.values(tests).includes('failed') ? 'failed' : 'passed',
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({
        fullName,
        status,
        failureMessages: status === 'failed' ? ['expected 1 to be 2'] : [],
      })),
    },
  ],
})

describe.concurrent('The sum of the parts', () => {
  const sum = async (files: Readonly<Record<string, unknown>>, stepFailed = '0') =>
    ran(process.execPath, ['.ci/summary.mjs', 'sum', stepFailed, await newFolder(files), 'unit', 'browser'])
  const browser = reportOf({ opens: 'passed' })

  it('counts what passed in each', async ({ expect }) => {
    const report = reportOf({ adds: 'passed', signs: 'passed', mails: 'skipped' })
    const { code, lines } = await sum({ 'unit.json': report, 'browser.json': browser })
    expect([code, ...lines]).toEqual([0, 'skipped: mails', '3 passed, 0 failed, 1 skipped'])
  })

  it('counts a test as flaky that fails and then passes', async ({ expect }) => {
    const { code, lines } = await sum({
      'unit.json': reportOf({ adds: 'failed', signs: 'passed' }),
      'unit.again.json': reportOf({ adds: 'passed', signs: 'passed' }),
      'browser.json': browser,
    })
    expect([code, lines[0], lines.at(-1)]).toEqual([0, 'flaky: a.test.ts adds', '3 passed, 0 failed, 1 flaky'])
  })

  it.each([
    ['fails again', reportOf({ adds: 'failed' })],
    ['is skipped then', reportOf({ adds: 'skipped' })],
    ['does not run again', reportOf({})],
    ['is not repeated', null],
  ])('fails for a test that fails and %s', async (_, again) => {
    const files = { 'unit.json': reportOf({ adds: 'failed', signs: 'passed' }), 'browser.json': browser }
    const { code, lines } = await sum(again === null ? files : { ...files, 'unit.again.json': again })
    expect(code).toBe(1)
    expect(lines).toContain('failed: a.test.ts adds')
    expect(lines.at(-1)).toMatch(/^2 passed, 1 failed/)
  })

  it('counts no test as skipped that fails in another part', async ({ expect }) => {
    const { lines } = await sum({
      'unit.json': reportOf({ adds: 'failed', signs: 'passed' }),
      'browser.json': reportOf({ adds: 'skipped', opens: 'passed' }),
    })
    expect(lines.at(-1)).toBe('2 passed, 1 failed')
  })

  it('counts tests that ran in the repeat alone', async ({ expect }) => {
    const { code, lines } = await sum({
      'unit.json': reportOf({ adds: 'failed', signs: 'skipped' }),
      'unit.again.json': reportOf({ adds: 'passed', signs: 'passed' }),
      'browser.json': browser,
    })
    expect([code, lines.at(-1)]).toEqual([0, '3 passed, 0 failed, 1 flaky'])
  })

  it('fails for an error outside of tests, although all tests passed or pass in the repeat', async ({ expect }) => {
    const { code, lines } = await sum({
      'unit.json': reportOf({ adds: 'failed' }),
      'unit.again.json': reportOf({ adds: 'passed' }),
      'unit.errors': `${JSON.stringify('b.test.ts did not run to its end')}\n`,
      'browser.json': browser,
    })
    expect([code, lines.at(-1)]).toEqual([1, '2 passed, 1 failed, 1 flaky'])
    expect(lines).toContain('b.test.ts did not run to its end')
  })

  it.each([
    ['has no report', { 'unit.log': 'Segmentation fault' }, 'Segmentation fault'],
    ['left half a report', { 'unit.json': '{"testResults": [', 'unit.log': 'Killed' }, 'Killed'],
    ['ran no test', { 'unit.json': { testResults: [] } }, 'failed: unit ran no test'],
    ['skipped all tests', { 'unit.json': reportOf({ opens: 'skipped' }) }, 'failed: unit ran no test'],
  ])('fails for a part that %s', async (_, files, line) => {
    const { code, lines } = await sum({ ...files, 'browser.json': browser })
    expect([code, lines.at(-1)]).toEqual([1, '1 passed, 1 failed'])
    expect(lines).toContain(line)
  })

  it('counts a part that is left out, for want of a tool, as skipped', async ({ expect }) => {
    const leftOut = { isLeftOut: true, ...reportOf({ 'on MongoDB': 'skipped' }) }
    const { code, lines } = await sum({ 'unit.json': leftOut, 'browser.json': browser })
    expect([code, ...lines]).toEqual([0, 'skipped: on MongoDB', '1 passed, 0 failed, 1 skipped'])
  })

  it('fails for a step that failed', async ({ expect }) => {
    const { code, lines } = await sum({ 'unit.json': reportOf({ adds: 'passed' }), 'browser.json': browser }, '1')
    expect([code, lines.at(-1)]).toEqual([1, '2 passed, 1 failed'])
  })

  it('reads the reports of Playwright', async ({ expect }) => {
    const spec = (title: string, status: string, message?: string) => ({
      title,
      tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }] }],
    })
    const specs = [spec('opens', 'expected'), spec('closes', 'unexpected', 'Timeout'), spec('prints', 'skipped')]
    const suites = [{ file: 'screens.test.ts', title: 'screens.test.ts', suites: [{ title: 'A page', specs }] }]
    const { code, lines } = await sum({
      'unit.json': reportOf({ adds: 'passed' }),
      'browser.json': { config: { rootDir: resolve('e2e') }, suites, errors: [{ message: 'Error: It was logged' }] },
      'browser.errors': `${JSON.stringify('It was logged')}\n`,
      'browser.again.json': {
        config: { rootDir: resolve('e2e') },
        suites: [],
        errors: [{ message: 'Error: It was logged' }],
      },
    })
    expect(code).toBe(1)
    expect(lines).toEqual([
      'skipped: A page prints',
      'failed: e2e/screens.test.ts A page closes',
      'Timeout',
      'failed: browser outside of tests',
      'Error: It was logged',
      '2 passed, 2 failed, 1 skipped',
    ])
  })
})

describe.concurrent('A part of the tests', () => {
  /** Runs a part whose commands are these lines of a shell, and prints what became of it. */
  async function part(report: string, { all, single = 'true', check = 'true' }: Readonly<Record<string, string>>) {
    const results = await newFolder()
    const script = `set -uo pipefail
      results=${results} failed=0
      source .ci/part.sh
      npm() { ${check}; }
      all() { ${all}; }
      single() { ${single}; }
      part Name ${report} single -- all
      echo "failed=$failed"`
    return (await ran('bash', ['-c', script], { GIVEN: JSON.stringify(reportOf({ adds: 'failed' })) })).lines
  }
  const failing = 'echo "$GIVEN" > "$TEST_REPORT"; false'

  it('prints what its command prints, and its time', async ({ expect }) => {
    const lines = await part('unit', { all: 'echo one test' })
    expect(lines).toEqual(['== Name', 'one test', expect.stringMatching(/^== Name: \d+ s$/), 'failed=0'])
  })

  it('fails where its command fails without a report', async ({ expect }) => {
    expect(await part('unit', { all: 'false' })).toContain('failed=1')
  })

  it('repeats the files that fail, and goes on where they pass', async ({ expect }) => {
    const lines = await part('unit', { all: failing, single: 'echo "again: $*"' })
    expect(lines).toEqual(expect.arrayContaining(['again: a.test.ts', 'failed=0']))
  })

  it('fails where the repeat fails', async ({ expect }) => {
    expect(await part('unit', { all: failing, single: 'false' })).toContain('failed=1')
  })

  it('checks types, lint and format again, where a failed test ended the checks beside it', async ({ expect }) => {
    expect(await part('test', { all: failing, check: 'false' })).toContain('failed=1')
  })

  it('ends with all its processes when the run is stopped', async ({ expect, onTestFinished }) => {
    const script = `set -uo pipefail
      results=${await newFolder()} failed=0
      source .ci/part.sh
      trap end_groups EXIT
      trap 'exit 143' TERM
      all() { sleep 600 & echo "$!"; wait; }
      part Name unit true -- all`
    const shell = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
    await lines.next()
    const pid = Number((await lines.next()).value)
    const isThere = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    onTestFinished(() => void (isThere() && process.kill(pid, 'SIGKILL')))
    expect(isThere()).toBe(true)
    shell.kill('SIGTERM')
    await expect.poll(isThere).toBe(false)
  })
})

it('The report of errors names what is outside of tests, and files whose worker ended', async () => {
  const folder = await newFolder({
    'a.test.ts': `it('passes', () => void Promise.reject(new Error('nobody waits')))`,
    'b.test.ts': `it('ends its worker', () => process.kill(process.pid, 'SIGKILL'))`,
  })
  const errors = join(folder, 'errors')
  const args = ['run', '--root', folder, '--globals', '--reporter', resolve('.ci/errors-reporter.mjs')]
  const { code } = await ran('node_modules/.bin/vitest', args, { TEST_ERRORS: errors })
  expect(code).toBe(1)
  const found: unknown[] = (await readFile(errors, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringContaining('nobody waits'),
      expect.stringContaining('b.test.ts did not run to its end'),
    ]),
  )
})
