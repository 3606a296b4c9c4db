/** Builds outdated parts: the server to dist/, the web app to dist/web. Prints nothing when all is up to date. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipCompress } from 'node:zlib'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const run = promisify(execFile)
const gzip = promisify(gzipCompress)
const brotli = promisify(brotliCompress)

const server = ['domain', 'projections', 'api', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
const parts = [
  { name: 'server', inputs: server, build: buildServer },
  {
    name: 'web',
    inputs: [
      'web',
      'domain',
      'projections',
      'api/contract',
      'api/features/auth/common-passwords.ts',
      'vite.config.ts',
      'package-lock.json',
    ],
    build: async () => {
      await run(bin('vite'), ['build', '--logLevel', 'warn'], { cwd: root })
      await compressAll(join(root, 'dist', 'web'))
    },
  },
]

/** Builds each part whose sources changed since its last build. */
export async function build() {
  await Promise.all(parts.map(buildPart))
}

async function buildPart({ name, inputs, build }) {
  const stamp = join(root, 'dist', `.${name}-stamp`)
  const fresh = await fingerprint(inputs)
  const known = await readFile(stamp, 'utf8').catch(() => '')
  if (known === fresh) return
  console.log(`Building the ${name}…`)
  await rm(stamp, { force: true })
  try {
    await build()
  } catch (error) {
    throw new Error(`Building the ${name} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`, {
      cause: error,
    })
  }
  await mkdir(join(root, 'dist'), { recursive: true })
  await writeFile(stamp, fresh)
}

async function buildServer() {
  // Removes the output of deleted sources.
  for (const room of ['api', 'domain', 'projections'])
    await rm(join(root, 'dist', room), { recursive: true, force: true })
  await run(bin('tsc'), ['-p', 'tsconfig.build.json'], { cwd: root })
}

/** Writes a compressed variant of each text file, so that no request has to compress it. */
async function compressAll(folder) {
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg|json|webmanifest)$/.test(entry)) continue
    const file = join(folder, entry)
    const text = await readFile(file)
    await writeFile(`${file}.gz`, await gzip(text, { level: 9 }))
    await writeFile(`${file}.br`, await brotli(text))
  }
}

/** Changes with any source's path, size or modification time. */
async function fingerprint(inputs) {
  const hash = createHash('sha256')
  for (const input of inputs) await add(hash, input)
  return hash.digest('hex')
}

async function add(hash, path) {
  const about = await stat(join(root, path)).catch(() => null)
  if (about === null) return
  if (!about.isDirectory()) return void hash.update(`${path}:${about.size}:${about.mtimeMs}\n`)
  for (const entry of (await readdir(join(root, path))).sort()) await add(hash, `${path}/${entry}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
