/** Writes secrets so that neither a crash nor a second run leaves half a secret or replaces an existing one. */
import { randomBytes } from 'node:crypto'
import { chmod, chown, link, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../runtime/config.ts'
import { makeSecret, secretNames, type Reader, type SecretName } from './values.ts'

type Secrets = Readonly<Record<SecretName, string>>

interface Made {
  readonly secrets: Secrets
  /** Those that are new. */
  readonly made: readonly SecretName[]
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null)

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )

/** Null where there is none. @throws ConfigError for an empty file */
async function existing(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
    if (text === '') throw new ConfigError(`${file} is empty. Remove the file or put the secret into it.`)
    return text
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** A temporary file beside `file`, on disk, with its final owner and mode. The caller gives it its name. */
async function written(file: string, text: string, mode: number, owner?: number): Promise<string> {
  const aside = `${file}.${randomBytes(4).toString('hex')}.new`
  const made = await open(aside, 'wx', 0o600)
  try {
    await made.writeFile(text)
    await made.sync()
  } finally {
    await made.close()
  }
  await chmod(aside, mode)
  if (owner !== undefined) await chown(aside, owner, owner)
  return aside
}

/** A name that another run took first stays as it is. @returns whether the file is new */
async function placed(aside: string, file: string): Promise<boolean> {
  try {
    await link(aside, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(aside)
  }
}

/**
 * Makes each secret that the folder lacks. @throws ConfigError for an empty file
 */
export async function makeMissing(folder: string): Promise<Made> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made: SecretName[] = []
  const known: Partial<Record<SecretName, string>> = {}
  for (const name of secretNames) {
    const file = join(folder, name)
    if (!(await exists(file)) && (await placed(await written(file, makeSecret[name](known), 0o400), file)))
      made.push(name)
    known[name] = (await existing(file)) ?? ''
  }
  return { secrets: known as Secrets, made }
}

/** @throws ConfigError that names all missing files, or an empty one */
export async function readGiven(folder: string): Promise<Secrets> {
  const found = await Promise.all(secretNames.map(async (name) => [name, await existing(join(folder, name))] as const))
  const missing = found.flatMap(([name, text]) => (text === null ? [name] : []))
  if (missing.length > 0)
    throw new ConfigError(
      `${folder} lacks ${missing.join(', ')}. Make the missing secrets: npm run secrets -- ./secrets`,
    )
  return Object.fromEntries(found) as Secrets
}

/** Secrets that a reader has and that the folder of originals lacks: new originals would differ from them. */
export async function orphans(
  originals: string,
  readers: Readonly<Record<string, Reader>>,
  copies: string,
): Promise<readonly string[]> {
  const found = Object.entries(readers).flatMap(([reader, { secrets }]) =>
    secrets.map(async (name) => {
      const copy = join(copies, reader, name)
      return (await exists(copy)) && !(await exists(join(originals, name))) ? [copy] : []
    }),
  )
  return (await Promise.all(found)).flat()
}

/**
 * Gives each reader its own copy of its secrets, mode 0400, owned by its user. @param replace whether existing copies
 * are replaced; else each stays as it is. @returns the new copies
 */
export async function copyToReaders(
  secrets: Secrets,
  readers: Readonly<Record<string, Reader>>,
  copies: string,
  replace: boolean,
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [reader, { uid, secrets: names }] of Object.entries(readers)) {
    await mkdir(join(copies, reader), { recursive: true, mode: 0o755 })
    for (const name of names) {
      const file = join(copies, reader, name)
      if (!replace && (await exists(file))) continue
      // Linux refuses to link a file of another user without CAP_FOWNER, so the copy is renamed.
      await rename(await written(file, secrets[name], 0o400, uid), file)
      changed.push(`${reader}/${name}`)
    }
  }
  return changed
}
