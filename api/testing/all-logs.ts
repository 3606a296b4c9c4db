/**
 * Collects the log lines of every server in a test run, at the lowest level, and what servers of a process of their own
 * print. It searches them after the run: a log may contain no password, cookie, link, key or email address. Any finding
 * fails the run.
 */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'

const folderName = 'TEST_LOGS'
const keysFile = 'keys'

/** Shapes of what must stay secret, with what each is. */
const shapes: readonly (readonly [what: string, RegExp])[] = [
  ['a password of the tests', /correct horse/],
  ['a password in an address', /\/\/[^/\s"@:]+:[^/\s"@]+@/],
  ['a session cookie', /Fe26\.2\*/],
  ['a signed token', /eyJ[\w-]{10,}[.~]eyJ/],
  ['a link that was mailed', /#[\w-]{43}\b/],
  ['a bearer token', /Bearer [\w.-]{8,}/],
  ['a key of Stripe', /\b(?:sk|rk)_(?:test|live)_\w|\bwhsec_\w/],
  ['a key of OpenAI', /\bsk-[\w-]{8,}/],
  ['an email address', /[\w.+-]+@[\w-]+\.(?:example\b|com\b)/],
]

/** The kind of each secret in these lines, and its line without it. @param keys of the servers of this run */
export function secretsIn(lines: readonly string[], keys: readonly string[] = []): string[] {
  const found = new Set<string>()
  for (const line of lines) {
    for (const [what, shape] of shapes)
      if (shape.test(line)) found.add(`${what}: ${line.replace(new RegExp(shape, 'g'), '…').slice(0, 300)}`)
    for (const key of keys)
      if (line.includes(key)) found.add(`a key of a server: ${line.replaceAll(key, '…').slice(0, 300)}`)
  }
  return [...found]
}

/** A server's log, as a test wants to see it, and all of it for the search. */
export function keptLog(level: string): Logger {
  const folder = process.env[folderName]
  if (folder === undefined) return pino({ level })
  const kept = {
    level: 'trace',
    stream: { write: (line: string) => appendFileSync(join(folder, `${process.pid}.log`), line) },
  } as const
  const shown = level === 'silent' ? [] : [{ level: level as 'error', stream: process.stdout }]
  return pino({ level: 'trace' }, pino.multistream([kept, ...shown]))
}

/** Keeps what a program prints for the search. */
export function keepOutput({ stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>): void {
  const folder = process.env[folderName]
  if (folder === undefined) return
  const file = join(folder, `${randomUUID()}.log`)
  for (const output of [stdout, stderr]) output?.on('data', (chunk: Buffer) => appendFileSync(file, chunk))
}

/** Remembers a server's own keys, to look for them too. */
export function keepKeys(dataDir: string): void {
  const folder = process.env[folderName]
  if (folder === undefined) return
  const secrets = join(dataDir, 'secrets')
  // In production they come from the environment.
  if (!existsSync(secrets)) return
  const keys = readdirSync(secrets, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(secrets, name), 'utf8').trim())
  appendFileSync(join(folder, keysFile), keys.map((key) => `${key}\n`).join(''))
}

/** Before and after a whole run. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await temporaryFolder('logs')
  process.env[folderName] = folder
  return async () => {
    const read = (name: string) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    const files = readdirSync(folder)
    const keys = files.includes(keysFile)
      ? [...new Set(read(keysFile).flatMap((line) => line.split(',')))].filter((key) => key.length >= 32)
      : []
    const found = files.filter((name) => name.endsWith('.log')).flatMap((name) => secretsIn(read(name), keys))
    await removeFolder(folder)
    if (found.length === 0) return
    const message = `What must stay secret was logged:\n${found.join('\n')}`
    // The reports lack what goes wrong here.
    const errors = process.env['TEST_ERRORS']
    if (errors !== undefined) appendFileSync(errors, `${JSON.stringify(message)}\n`)
    process.exitCode = 1
    throw new Error(message)
  }
}
