/**
 * Reads and validates the environment at start. The process does not start with a wrong value, and the error names it.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isEventStoreAddress } from '../../domain/event-store/eventstoredb-address.ts'
import { isMongoAddress } from '../../projections/read-store/mongodb-address.ts'
import { missingForOidc, oidcEnvironment } from '../features/auth/oidc/config.ts'
import { missingForStripe, stripeEnvironment } from '../features/billing/config.ts'
import { mailEnvironment, missingForMail } from '../features/mail/config.ts'
import { halfPairs, networkEnvironment } from '../networks/config.ts'
import { missingForWriter, writerEnvironment } from '../features/writer/config.ts'

const port = z.coerce.number().int().min(0).max(65535)
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const milliseconds = z.coerce.number().int().positive()

/** Only protocol, host and port: no name, password, path, query or fragment. */
function isOrigin(address: string): boolean {
  return URL.canParse(address) && new URL(address).href === `${new URL(address).origin}/`
}
/** An IPv6 zone is not allowed in a URL for browsers. */
function isHost(host: string): boolean {
  return (isIP(host) !== 0 && !host.includes('%')) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)
}

const inAddresses =
  'In a name or a password write @ : / ? % as %40 %3A %2F %3F %25; after the question mark only options that its driver knows can stand'

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().refine(isHost, 'a name or an address of this machine, like 127.0.0.1').default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'an address like https://social.example' })
    .refine(isOrigin, 'an address without a path, like https://social.example')
    .transform((address) => new URL(address).origin)
    .optional(),
  TRUST_PROXY: flag.default(false),
  SESSION_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  /** Earlier session secrets, separated by commas: they still decrypt existing cookies. */
  SESSION_SECRETS_OLD: z
    .string()
    .transform((text) => text.split(','))
    .refine(
      (secrets) => secrets.every((secret) => secret.length >= 32),
      'at least 32 characters each, separated by commas',
    )
    .optional(),
  /** A session ends after this many days without use, and after fourteen days at most. */
  SESSION_IDLE_DAYS: z.coerce
    .number('from 1 to 14 days')
    .int('from 1 to 14 days')
    .min(1, 'from 1 to 14 days')
    .max(14, 'from 1 to 14 days')
    .default(7),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits (32 bytes)')
    .optional(),
  /** Earlier encryption keys, separated by commas: they still decrypt until `npm run tokens -- rotate` has run. */
  ENCRYPTION_KEYS_OLD: z
    .string()
    .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/i, '64 hexadecimal digits each, separated by commas')
    .transform((keys) => keys.split(','))
    .optional(),
  /** Signs checkpoints, exports and auditors' links (Ed25519). */
  AUDIT_SIGNING_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits (32 bytes)')
    .optional(),
  /** Earlier signing keys, separated by commas: their signatures stay valid. */
  AUDIT_SIGNING_KEYS_OLD: z
    .string()
    .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/i, '64 hexadecimal digits each, separated by commas')
    .transform((keys) => keys.split(','))
    .optional(),
  /** Allows image addresses inside the operator's own network. */
  IMAGES_FROM_PRIVATE_NETWORKS: flag.default(false),
  /** The folder for uploads in progress. Default: `uploads` in DATA_DIR. */
  UPLOAD_DIR: z.string().min(1).optional(),
  /** Image quota per agency, in megabytes. */
  IMAGES_MOST_MB: z.coerce.number().int().positive().default(2048),
  /** Whether an embedded server backs up its files once a day. */
  BACKUP: z.enum(['daily', 'off']).default('daily'),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUPS_KEPT: z.coerce.number().int().min(1).default(7),
  /** Points per agency; a change costs five. */
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(60, 'at least 60').default(6_000),
  /** Log budget per agency and day, in megabytes (of 1,000,000 bytes); events are kept forever. */
  LOG_MB_PER_DAY: z.coerce.number().int().min(1, 'at least 1').max(1_000_000, 'at most 1000000').default(20),
  /** Texts generated on request, per agency and day; there is no other limit on them. */
  TEXTS_PER_DAY: z.coerce.number().int().min(1, 'at least 1').max(1_000_000, 'at most 1000000').default(5_000),
  /** Texts generated for posting schedules, per agency and day; the rest follows the next day. */
  SCHEDULE_TEXTS_PER_DAY: z.coerce.number().int().min(1, 'at least 1').max(1_000_000, 'at most 1000000').default(1_000),
  /** Makes the sandbox limit posts as the networks do. */
  SANDBOX_LIMITS: flag.default(false),
  NODE_ENV: z.enum(['development', 'test', 'production']).optional(),
  /** The bearer token for /metrics; without it, only this machine may read them. */
  METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
  /** Comma-separated delays after publishing at which figures are collected, in seconds. */
  COLLECT_AFTER_SECONDS: z
    .string()
    .transform((text, context) => {
      const seconds = text.split(',').map(Number)
      if (seconds.every((value) => Number.isFinite(value) && value > 0)) return seconds
      context.addIssue('numbers of seconds, separated by commas')
      return z.NEVER
    })
    .optional(),
  PUBLISH_POLL_MS: milliseconds.default(250),
  ...networkEnvironment,
  ...stripeEnvironment,
  ...mailEnvironment,
  ...writerEnvironment,
  ...oidcEnvironment,
  /** Both: several processes share these stores. Neither: one process on files in DATA_DIR. */
  EVENTSTORE_URL: z
    .string()
    .refine(isEventStoreAddress, `an address like esdb://socialai:password@eventstore:2113?tls=true. ${inAddresses}`)
    .optional(),
  MONGODB_URL: z
    .string()
    .refine(isMongoAddress, `an address with a database, like mongodb://mongo:27017/socialai. ${inAddresses}`)
    .optional(),
  /** The address of a shared sandbox that replaces networks without an app, for several processes. */
  SANDBOX_URL: z.url({ protocol: /^https?$/, error: 'an address like http://localhost:8080/sandbox' }).optional(),
  /** The shared sandbox's address for processes. Default: SANDBOX_URL. */
  SANDBOX_INTERNAL_URL: z
    .url({ protocol: /^https?$/, error: 'an address like http://sandbox:3000/sandbox' })
    .optional(),
  /** Where the shared sandbox fetches images that are published at PUBLIC_URL. Default: PUBLIC_URL. */
  PUBLIC_INTERNAL_URL: z
    .url({ protocol: /^https?$/, error: 'an address like http://api:3000' })
    .refine(isOrigin, 'an address without a path, like http://api:3000')
    .transform((address) => new URL(address).origin)
    .optional(),
})

/** Settings that several processes must share and can't generate: `NAME: sentence`. */
function missingForSeveral(config: z.output<typeof environment>): string[] {
  const { EVENTSTORE_URL, MONGODB_URL } = config
  if (EVENTSTORE_URL === undefined && MONGODB_URL === undefined) return []
  const needed = [
    'EVENTSTORE_URL',
    'MONGODB_URL',
    'SESSION_SECRET',
    'ENCRYPTION_KEY',
    'AUDIT_SIGNING_KEY',
    'PUBLIC_URL',
  ] as const
  const there = EVENTSTORE_URL === undefined ? 'MONGODB_URL' : 'EVENTSTORE_URL'
  return needed
    .filter((name) => config[name] === undefined)
    .map((name) => `${name}: missing, because ${there} is set: several processes share it`)
}

/** Browsers need an address too. */
function missingForSandbox({ SANDBOX_URL, SANDBOX_INTERNAL_URL }: z.output<typeof environment>): string[] {
  return SANDBOX_URL === undefined && SANDBOX_INTERNAL_URL !== undefined
    ? ['SANDBOX_URL: missing, because SANDBOX_INTERNAL_URL is set: browsers use the first, processes the second']
    : []
}

export type Config = z.output<typeof environment>

/** The names of all variables. Each may also be given as `NAME_FILE`, the path of a file with its value. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

const fromFile = '_FILE'

/** Reads secrets from files, as container platforms provide them. Errors name the variable, never the value. */
function withFiles(env: Readonly<Record<string, string>>): {
  readonly given: Record<string, string>
  readonly problems: readonly string[]
} {
  const given = { ...env }
  const problems: string[] = []
  for (const name of settingNames) {
    const file = env[name + fromFile]
    if (file === undefined) continue
    if (env[name] !== undefined) problems.push(`${name}: given twice, here and by ${name + fromFile}; keep one`)
    try {
      const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      if (text !== '') given[name] = text
    } catch (error) {
      problems.push(
        `${name + fromFile}: ${file} can't be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
      )
    }
  }
  return { given, problems }
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** @throws ConfigError that names every wrong value, never its content */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  )
  const { given, problems: unread } = withFiles(Object.fromEntries(named))
  const parsed = environment.safeParse(given)
  const wrong = parsed.success
    ? [
        ...halfPairs(parsed.data),
        ...missingForStripe(parsed.data),
        ...missingForMail(parsed.data),
        ...missingForWriter(parsed.data),
        ...missingForOidc(parsed.data),
        ...missingForSeveral(parsed.data),
        ...missingForSandbox(parsed.data),
      ]
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const problems = [...unread, ...wrong]
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(
      `SocialAI can't start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
  }
  return parsed.data
}
