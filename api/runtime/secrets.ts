/** The keys that an embedded server generates on its first start; production must provide its own. */
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SigningKeys } from '../features/audit/signing.ts'
import { ConfigError, type Config } from './config.ts'
import type { EncryptionKeys } from '../networks/token-cipher.ts'

export interface Secrets {
  /** Encrypts the session cookie. */
  readonly session: string
  /** Encrypt access tokens at rest. */
  readonly encryption: EncryptionKeys
  /** Sign checkpoints, exports and auditors' links. */
  readonly signing: SigningKeys
}

/** @throws ConfigError in production when one is missing */
export async function readSecrets(config: Config): Promise<Secrets> {
  if (config.NODE_ENV === 'production') {
    const missing = (['SESSION_SECRET', 'ENCRYPTION_KEY', 'AUDIT_SIGNING_KEY'] as const).filter(
      (name) => config[name] === undefined,
    )
    if (missing.length > 0)
      throw new ConfigError(`${missing.join(', ').replace(/, ([^,]+)$/, ' and $1')} must be set in production`)
  }
  const keep = (name: string, given: string | undefined): Promise<string> => {
    if (given !== undefined) return Promise.resolve(given)
    return kept(fileOf(config, name))
  }
  const session = await keep('SESSION_SECRET', config.SESSION_SECRET)
  const encryption = await keep('ENCRYPTION_KEY', config.ENCRYPTION_KEY)
  // All generated keys too: an operator who provides a key may have started with a generated one, and an interrupted
  // rotation leaves its keys here.
  const own = config.ENCRYPTION_KEY === undefined ? [] : await keysIn(fileOf(config, 'ENCRYPTION_KEY'))
  const earlier = new Set([
    ...(config.ENCRYPTION_KEYS_OLD ?? []),
    ...(await keysIn(fileOf(config, 'ENCRYPTION_KEYS_OLD'))),
    ...own,
  ])
  const signing = await keep('AUDIT_SIGNING_KEY', config.AUDIT_SIGNING_KEY)
  const ownSigning = config.AUDIT_SIGNING_KEY === undefined ? [] : await keysIn(fileOf(config, 'AUDIT_SIGNING_KEY'))
  const signedBefore = new Set([
    ...(config.AUDIT_SIGNING_KEYS_OLD ?? []),
    ...(await keysIn(fileOf(config, 'AUDIT_SIGNING_KEYS_OLD'))),
    ...ownSigning,
  ])
  return {
    session,
    encryption: { current: hex(encryption), others: [...earlier].map(hex) },
    signing: { current: hex(signing), others: [...signedBefore].map(hex) },
  }
}

/** The existing signing keys, without generating any. Null without one. */
export async function presentSigningKeys(config: Config): Promise<SigningKeys | null> {
  const own = await keysIn(fileOf(config, 'AUDIT_SIGNING_KEY'))
  const [current, ...others] = [
    config.AUDIT_SIGNING_KEY ?? [],
    own,
    config.AUDIT_SIGNING_KEYS_OLD ?? [],
    await keysIn(fileOf(config, 'AUDIT_SIGNING_KEYS_OLD')),
  ].flat()
  return current === undefined ? null : { current: hex(current), others: others.map(hex) }
}

/**
 * Generates a new encryption key beside the current one, which still decrypts until `forgetOldKeys`. An interruption
 * loses nothing. @throws ConfigError where the key comes from the environment
 */
export async function renewEncryptionKey(config: Config): Promise<void> {
  if (config.ENCRYPTION_KEY !== undefined) {
    throw new ConfigError('ENCRYPTION_KEY is set: put the new key there and the old one into ENCRYPTION_KEYS_OLD.')
  }
  const { encryption } = await readSecrets(config)
  const old = [encryption.current, ...(encryption.others ?? [])].map((key) => key.toString('hex'))
  // The old key is stored before the new one takes its place.
  await overwritten(fileOf(config, 'ENCRYPTION_KEYS_OLD'), [...new Set(old)].join('\n'))
  await overwritten(fileOf(config, 'ENCRYPTION_KEY'), randomBytes(32).toString('hex'))
}

/**
 * Generates a new signing key; signatures of earlier keys stay valid forever. An interruption loses nothing. @throws
 * ConfigError where the key comes from the environment
 */
export async function renewSigningKey(config: Config): Promise<void> {
  if (config.AUDIT_SIGNING_KEY !== undefined) {
    throw new ConfigError(
      'AUDIT_SIGNING_KEY is set: put the new key there and the old one into AUDIT_SIGNING_KEYS_OLD.',
    )
  }
  const { signing } = await readSecrets(config)
  const old = [signing.current, ...signing.others].map((key) => key.toString('hex'))
  await overwritten(fileOf(config, 'AUDIT_SIGNING_KEYS_OLD'), [...new Set(old)].join('\n'))
  await overwritten(fileOf(config, 'AUDIT_SIGNING_KEY'), randomBytes(32).toString('hex'))
}

/** Call it only after everything was encrypted with the current key. */
export async function forgetOldKeys(config: Config): Promise<void> {
  const file = fileOf(config, 'ENCRYPTION_KEYS_OLD')
  await rm(file, { force: true })
  await rm(asideOf(file), { force: true })
  await rm(asideOf(fileOf(config, 'ENCRYPTION_KEY')), { force: true })
  await onDisk(dirname(file))
}

/**
 * Makes keys private that a copy or a loose umask left readable to other users of the machine, and returns their paths.
 */
export async function closeToOthers(config: Config): Promise<readonly string[]> {
  if (process.platform === 'win32') return []
  const folder = dirname(fileOf(config, 'SESSION_SECRET'))
  const files = (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  const open: string[] = []
  for (const file of files) {
    if (((await stat(file)).mode & 0o077) === 0) continue
    await chmod(file, 0o600)
    open.push(file)
  }
  return open
}

const hex = (key: string) => Buffer.from(key, 'hex')
const fileOf = (config: Config, name: string) =>
  join(config.DATA_DIR, 'secrets', name.toLowerCase().replaceAll('_', '-'))

async function keysIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  const keys = text.split('\n').filter((line) => line !== '')
  if (keys.every((key) => /^[0-9a-f]{64}$/i.test(key))) return keys
  throw damaged(file)
}

const damaged = (file: string) =>
  new ConfigError(`${file} is damaged: expected 64 hexadecimal digits. Restore it from a backup.`)

/**
 * A fixed name, so that the next try overwrites the leftovers of a crash. The caller has exclusive access to the
 * records.
 */
const asideOf = (file: string) => `${file}.new`

async function overwritten(file: string, text: string): Promise<void> {
  const aside = asideOf(file)
  await rm(aside, { force: true })
  const made = await open(aside, 'wx', 0o600)
  await made.writeFile(text)
  await made.sync()
  await made.close()
  await rename(aside, file)
  await onDisk(dirname(file))
}

/**
 * Syncs the folder: a renamed file survives a power failure only then. Platforms where folders can't be synced don't
 * need it.
 */
async function onDisk(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  await opened?.sync().finally(() => opened.close())
}

/**
 * Reads the secret, or generates it once: written to a temporary name and linked, so that a crash never leaves half a
 * key.
 */
async function kept(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const aside = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  const made = await open(aside, 'w', 0o600)
  await made.writeFile(randomBytes(32).toString('hex'))
  await made.sync()
  await made.close()
  try {
    await link(aside, file)
    await onDisk(dirname(file))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(aside)
  }
  const secret = (await readFile(file, 'utf8')).trim()
  if (/^[0-9a-f]{64}$/i.test(secret)) return secret
  throw damaged(file)
}
