/** Keys that the embedded default makes for itself on first start; production brings its own. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError, type Config } from './config.ts'
import type { EncryptionKeys } from './networks/sealing.ts'

export interface Secrets {
  /** Seals the session cookie. */
  readonly session: string
  /** Encrypt tokens at rest. */
  readonly encryption: EncryptionKeys
}

/** @throws ConfigError in production when one is missing */
export async function readSecrets(config: Config): Promise<Secrets> {
  if (config.NODE_ENV === 'production') {
    const missing = (['SESSION_SECRET', 'ENCRYPTION_KEY'] as const).filter((name) => config[name] === undefined)
    if (missing.length > 0) throw new ConfigError(`${missing.join(' and ')} must be set in production`)
  }
  const keep = (name: string, given: string | undefined): Promise<string> => {
    if (given !== undefined) return Promise.resolve(given)
    return kept(fileOf(config, name))
  }
  const session = await keep('SESSION_SECRET', config.SESSION_SECRET)
  const encryption = await keep('ENCRYPTION_KEY', config.ENCRYPTION_KEY)
  const earlier = config.ENCRYPTION_KEYS_OLD ?? (await keysIn(fileOf(config, 'ENCRYPTION_KEYS_OLD')))
  return { session, encryption: { current: hex(encryption), others: earlier.map(hex) } }
}

/**
 * Makes a new encryption key beside the present one, which still decrypts; `forgetOldKeys` ends that.
 * Nothing is lost wherever this is interrupted. @throws ConfigError where the key comes from the environment
 */
export async function renewEncryptionKey(config: Config): Promise<void> {
  if (config.ENCRYPTION_KEY !== undefined) {
    throw new ConfigError('ENCRYPTION_KEY is set: put the new key there and the old one into ENCRYPTION_KEYS_OLD.')
  }
  const { encryption } = await readSecrets(config)
  const old = [encryption.current, ...(encryption.others ?? [])].map((key) => key.toString('hex'))
  // The old key is safe before the new one takes its place.
  await overwritten(fileOf(config, 'ENCRYPTION_KEYS_OLD'), [...new Set(old)].join('\n'))
  await overwritten(fileOf(config, 'ENCRYPTION_KEY'), randomBytes(32).toString('hex'))
}

/** Only after everything was encrypted with the current key. */
export async function forgetOldKeys(config: Config): Promise<void> {
  await rm(fileOf(config, 'ENCRYPTION_KEYS_OLD'), { force: true })
}

const hex = (key: string) => Buffer.from(key, 'hex')
const fileOf = (config: Config, name: string) => join(config.DATA_DIR, 'secrets', name.toLowerCase().replaceAll('_', '-'))

async function keysIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').filter((line) => line !== '')
}

async function overwritten(file: string, text: string): Promise<void> {
  const aside = `${file}.${process.pid}`
  const made = await open(aside, 'w', 0o600)
  await made.writeFile(text)
  await made.sync()
  await made.close()
  await rename(aside, file)
}

/** Reads the secret, or makes it once: written aside and linked, so that a crash never leaves half a key. */
async function kept(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const aside = `${file}.${process.pid}`
  const made = await open(aside, 'w', 0o600)
  await made.writeFile(randomBytes(32).toString('hex'))
  await made.sync()
  await made.close()
  try {
    await link(aside, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(aside)
  }
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length === 64) return secret
  throw new ConfigError(`${file} is damaged: expected 64 hexadecimal digits. Restore it from a backup.`)
}
