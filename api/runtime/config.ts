/** The environment, validated at start: a wrong value is named and the process does not start. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isEventStoreAddress } from '../../domain/event-store/eventstoredb-address.ts'
import { isMongoAddress } from '../../projections/read-store/mongodb-address.ts'
import { missingForStripe, stripeEnvironment } from '../features/billing/config.ts'
import { mailEnvironment, missingForMail } from '../features/mail/config.ts'
import { halfPairs, networkEnvironment } from '../networks/config.ts'
import { missingForWriter, writerEnvironment } from '../features/writer/config.ts'

const port = z.coerce.number().int().min(0).max(65535)
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const milliseconds = z.coerce.number().int().positive()

/** Nothing but protocol, host and port: no name, password, path, query or fragment. */
function isOrigin(address: string): boolean {
  return URL.canParse(address) && new URL(address).href === `${new URL(address).origin}/`
}
/** A zone has no place in an address that a browser opens. */
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
  /** Earlier session secrets, separated by commas: cookies that they sealed are still good. */
  SESSION_SECRETS_OLD: z
    .string()
    .transform((text) => text.split(','))
    .refine(
      (secrets) => secrets.every((secret) => secret.length >= 32),
      'at least 32 characters each, separated by commas',
    )
    .optional(),
  /** A session that was not used for so many days is over; none lasts longer than fourteen. */
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
  /** Earlier signing keys, separated by commas: what they signed is still ours. */
  AUDIT_SIGNING_KEYS_OLD: z
    .string()
    .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/i, '64 hexadecimal digits each, separated by commas')
    .transform((keys) => keys.split(','))
    .optional(),
  /** Lets images come from addresses inside the operator's own network. */
  IMAGES_FROM_PRIVATE_NETWORKS: flag.default(false),
  /** Where uploads are received, until they are stored. Default: `uploads` in DATA_DIR. */
  UPLOAD_DIR: z.string().min(1).optional(),
  /** How much each agency may keep of images, in megabytes. */
  IMAGES_MOST_MB: z.coerce.number().int().positive().default(2048),
  /** Whether a server on files backs them up once a day. */
  BACKUP: z.enum(['daily', 'off']).default('daily'),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUPS_KEPT: z.coerce.number().int().min(1).default(7),
  /** What each agency may ask for; what changes something counts five times. */
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(60, 'at least 60').default(6_000),
  /** What each agency may add to the log a day, in megabytes (of 1,000,000 bytes); each fact stays there for ever. */
  LOG_MB_PER_DAY: z.coerce.number().int().min(1, 'at least 1').max(1_000_000, 'at most 1000000').default(20),
  /** Texts that people of an agency may have generated a day; there is no bound beyond that. */
  TEXTS_PER_DAY: z.coerce.number().int().min(1, 'at least 1').max(1_000_000, 'at most 1000000').default(5_000),
  /** Texts that an agency's posting schedules may have written a day; what is left comes the next day. */
  SCHEDULE_TEXTS_PER_DAY: z.coerce.number().int().min(1, 'at least 1').max(1_000_000, 'at most 1000000').default(1_000),
  /** The sandbox refuses too many posts as the networks do. */
  SANDBOX_LIMITS: flag.default(false),
  NODE_ENV: z.enum(['development', 'test', 'production']).optional(),
  /** Whoever asks for /metrics has to bring it; without it, only this machine may ask. */
  METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
  /** Comma-separated delays after publishing at which figures are read, in seconds. */
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
  /** Both: several processes share these stores. Neither: one process on files in DATA_DIR. */
  EVENTSTORE_URL: z
    .string()
    .refine(isEventStoreAddress, `an address like esdb://admin:changeit@eventstore:2113?tls=true. ${inAddresses}`)
    .optional(),
  MONGODB_URL: z
    .string()
    .refine(isMongoAddress, `an address with a database, like mongodb://mongo:27017/socialai. ${inAddresses}`)
    .optional(),
  /** Where several processes find the sandbox networks, if they are to stand in for those that aren't set up. */
  SANDBOX_URL: z.url({ protocol: /^https?$/, error: 'an address like http://sandbox:3000/sandbox' }).optional(),
})

/** What several processes can't each make for themselves: `NAME: sentence`. */
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

export type Config = z.output<typeof environment>

/** Every variable that is read. Each may also be given as the path of a file that has its value: `NAME_FILE`. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

const fromFile = '_FILE'

/** Where secrets are files, as container platforms hand them over. Problems name the variable, never the value. */
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
        ...missingForSeveral(parsed.data),
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
