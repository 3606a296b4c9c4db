/**
 * Compiled copies of the programs that tests start as processes. With a loader of TypeScript, a server takes three
 * times as much processor time until it serves, and the tests start some hundreds.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const script = fileURLToPath(new URL('compile.mjs', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'compiled')

let folder: string | null = null

/**
 * The compiled copy of a program, for `node` without a loader. The first call compiles the server and the helpers of
 * tests, if their files changed; types are not checked.
 *
 * @param source its path, absolute or from the project's folder
 */
export function compiled(source: string): string {
  folder ??= currentFolder()
  return join(folder, relative(root, resolve(root, source)).replace(/\.ts$/, '.js'))
}

function currentFolder(): string {
  const sources = ['domain', 'projections', 'api'].flatMap(sourcesIn)
  const hash = createHash('sha1')
  for (const path of [...sources, 'package-lock.json']) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path}:${size}:${mtimeMs}\n`)
  }
  const wanted = join(cache, hash.digest('hex'))
  if (!existsSync(wanted)) execFileSync(process.execPath, [script, wanted], { input: sources.join('\n'), cwd: root })
  return wanted
}

const sourcesIn = (room: string): readonly string[] =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|d)\.ts$/.test(path))
    .map((path) => join(room, path))
    .sort()
