/** Keys that the embedded default makes for itself on first start; production brings its own. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError, type Config } from './config.ts'

export interface Secrets {
  /** Seals the session cookie. */
  readonly session: string
  /** 32 bytes; encrypts tokens at rest. */
  readonly encryption: Buffer
}

/** @throws ConfigError in production when one is missing */
export async function readSecrets(config: Config): Promise<Secrets> {
  if (config.NODE_ENV === 'production') {
    const missing = (['SESSION_SECRET', 'ENCRYPTION_KEY'] as const).filter((name) => config[name] === undefined)
    if (missing.length > 0) throw new ConfigError(`${missing.join(' and ')} must be set in production`)
  }
  const keep = (name: string, given: string | undefined): Promise<string> => {
    if (given !== undefined) return Promise.resolve(given)
    return kept(join(config.DATA_DIR, 'secrets', name.toLowerCase().replaceAll('_', '-')))
  }
  const session = await keep('SESSION_SECRET', config.SESSION_SECRET)
  const encryption = await keep('ENCRYPTION_KEY', config.ENCRYPTION_KEY)
  return { session, encryption: Buffer.from(encryption, 'hex') }
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
