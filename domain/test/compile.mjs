/** Compiles the sources named on standard input into the folder of its argument. It is whole as soon as it exists. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { transformWithOxc } from 'vite'

/** Copies of earlier sources that stay: other runs may still use them. */
const maxCopies = 4

const [, , target] = process.argv
const cache = dirname(target)
await mkdir(cache, { recursive: true })
const partial = await mkdtemp(join(cache, 'partial-'))
await Promise.all((await text(process.stdin)).split('\n').map(compile))
// Programs find the version and the web's files where the sources find them.
await copyFile('package.json', join(partial, 'package.json'))
await symlink(resolve('web'), join(partial, 'web'))
// Another worker of the run may have been faster.
await rename(partial, target).catch(() => rm(partial, { recursive: true }))
await removeOlder()

async function compile(path) {
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path, {
    lang: 'ts',
    sourcemap: false,
    tsconfig: false,
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  })
  const file = join(partial, path.replace(/\.ts$/, '.js'))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code)
}

async function removeOlder() {
  const copies = await Promise.all(
    (await readdir(cache)).map(async (name) => ({ name, at: (await stat(join(cache, name))).mtimeMs })),
  )
  copies.sort((one, other) => other.at - one.at)
  await Promise.all(copies.slice(maxCopies).map(({ name }) => rm(join(cache, name), { recursive: true, force: true })))
}
