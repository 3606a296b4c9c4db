/** The settings of an operator command: secrets that it never uses needn't be set. */
import { readConfig, type Config } from './config.ts'

/** Required where several processes share the stores. */
const placeholders = {
  SESSION_SECRET: '-'.repeat(32),
  ENCRYPTION_KEY: '0'.repeat(64),
  AUDIT_SIGNING_KEY: '0'.repeat(64),
  PUBLIC_URL: 'http://localhost',
} as const

/** @throws ConfigError that names every wrong value, and every missing one of `needed` */
export function operatorSettings(
  env: Readonly<Record<string, string | undefined>>,
  needed: readonly (keyof typeof placeholders)[] = [],
): Config {
  const isGiven = (name: string) => Boolean(env[name] ?? env[`${name}_FILE`])
  const isShared = isGiven('EVENTSTORE_URL') || isGiven('MONGODB_URL')
  const unused = Object.entries(placeholders).filter(
    ([name]) => isShared && !isGiven(name) && !needed.some((one) => one === name),
  )
  return readConfig({ ...env, ...Object.fromEntries(unused) })
}
