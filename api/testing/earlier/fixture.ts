/** Data that an earlier build wrote, and what it answered: made by e2e/fixtures/make.ts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { Answers } from './answers.ts'

export type Person = 'owner' | 'late'

export interface Earlier {
  /** The public address of its server. */
  readonly url: string
  /** When it ended. */
  readonly at: string
  readonly people: Readonly<Record<Person, { readonly email: string; readonly password: string }>>
  readonly story: {
    /** Session cookies that were valid at the end. */
    readonly cookies: Readonly<Record<Person, string>>
    readonly clientIds: Readonly<Record<'cup' | 'leaf' | 'removed' | 'late', string>>
    /** By what became of them. */
    readonly postIds: Readonly<Record<string, string>>
    readonly auditorToken: string
    readonly repeatable: { readonly path: string; readonly key: string; readonly body: object; readonly id: string }
  }
  readonly jwks: object
  readonly answers: Readonly<Record<Person, Answers>>
  /** The signed export of all events. */
  readonly export: string
  /** What `npm run audit -- checkpoint` wrote. Absent of a distributed installation. */
  readonly checkpoint?: string
}

const fixtures = fileURLToPath(new URL('../../../e2e/fixtures', import.meta.url))

/** The archives of every earlier build that left such data. */
export const archivesOf = async (kind: 'data-folder' | 'distributed'): Promise<string[]> =>
  (await readdir(fixtures)).filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.tar.br'))

/** Unpacks an archive of e2e/fixtures into a folder, and returns what is known of it. */
export async function unpackEarlier(archive: string, folder: string): Promise<Earlier> {
  const packed = await readFile(join(fixtures, archive))
  const tar = spawn('tar', ['-x', '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] })
  tar.stdin.end(brotliDecompressSync(packed))
  const [code] = await once(tar, 'exit')
  if (code !== 0) throw new Error(`tar ended with ${String(code)}`)
  return JSON.parse(await readFile(join(folder, 'answers.json'), 'utf8')) as Earlier
}

/**
 * `Date.now` goes on from then, until the function that this returns is called. iron-webcrypto 1.2.1 (`unseal`) ends
 * sessions by it, not by the clock that servers are given. Clocks made before would jump.
 */
export function goBackTo(at: string): () => void {
  const { now } = Date
  const ahead = now() - Date.parse(at)
  Date.now = () => now() - ahead
  return () => void (Date.now = now)
}
