/** Checks before startup whether EventStoreDB's client accepts a URL, so that the error can name the setting. */
import { createRequire } from 'node:module'

/**
 * https://docs.kurrent.io/clients/node/v6.2/getting-started.html: the query options that have an effect. Without
 * `throwOnAppendFailure`: set to false, the client (6.2.1) answers a conflict like a stored append.
 */
const options = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
]
const shape = /^esdb(?:\+discover)?:\/\/(?:[^@/?:]+:[^@/?:]+@)?(?<hosts>[^@/?]+)\/?(?:\?(?<options>.*))?$/

export function isEventStoreAddress(address: string): boolean {
  const found = shape.exec(address)?.groups
  if (!found?.['hosts']?.split(',').every(isHost)) return false
  // The client ignores an unknown option, and logs the whole URL, credentials included.
  const given = found['options']?.split('&').map((option) => plain(option.split('=')[0] ?? '')) ?? []
  if (!given.every((name) => options.some((known) => plain(known) === name))) return false
  try {
    client().EventStoreDBClient.connectionString(address)
    return true
  } catch {
    return false
  }
}

/** Normalizes names like the client. */
const plain = (name: string) => name.trim().toLowerCase().replaceAll(/[_-]/g, '')

const isHost = (host: string): boolean => URL.canParse(`http://${host}`)

/** Loaded only when a URL is set: the embedded shape starts without the client. */
const client = () => createRequire(import.meta.url)('@eventstore/db-client') as typeof import('@eventstore/db-client')
