/** Whether EventStoreDB's client understands an address: asked before anything starts, so that the setting can be named. */
import { createRequire } from 'node:module'

/** https://docs.kurrent.io/clients/node/v6.2/getting-started.html: what may follow the question mark and has an effect. */
const options = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
]
const shape = /^esdb(?:\+discover)?:\/\/(?:[^@/?:]+:[^@/?:]+@)?(?<hosts>[^@/?]+)\/?(?:\?(?<options>.*))?$/

export function isEventStoreAddress(address: string): boolean {
  const found = shape.exec(address)?.groups
  if (!found?.['hosts']?.split(',').every(isHost)) return false
  // The client passes over an option that means nothing to it, and prints the whole address with it.
  const given = found['options']?.split('&').map((option) => plain(option.split('=')[0] ?? '')) ?? []
  if (!given.every((name) => options.some((known) => plain(known) === name))) return false
  try {
    client().EventStoreDBClient.connectionString(address)
    return true
  } catch {
    return false
  }
}

/** As the client compares names. */
const plain = (name: string) => name.trim().toLowerCase().replaceAll(/[_-]/g, '')

const isHost = (host: string): boolean => URL.canParse(`http://${host}`)

/** Only where there is an address: the embedded shape starts without it. */
const client = () => createRequire(import.meta.url)('@eventstore/db-client') as typeof import('@eventstore/db-client')
