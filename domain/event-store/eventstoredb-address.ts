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

type Given = Readonly<Record<string, string>>

/** The client takes the last of two options with one name. */
export function withOptions(
  url: string,
  { before = {}, after = {} }: { readonly before?: Given; readonly after?: Given },
): string {
  const { address, options } = partsOf(url)
  const written = (given: Given) => Object.entries(given).map((pair) => pair.join('='))
  return `${address}?${[...written(before), ...(options === '' ? [] : [options]), ...written(after)].join('&')}`
}

/** Whether the client asks several nodes, or a name of several, which of them is the leader. */
export const isCluster = (url: string): boolean => url.startsWith('esdb+discover:') || hostsOf(url).length > 1

export function hostsOf(url: string): readonly { readonly host: string; readonly port: number }[] {
  const names = partsOf(url).address.replace(/^[^:]*:\/\/(?:[^@]*@)?/, '')
  return names
    .split(/[,/]/)
    .filter((name) => name !== '')
    .map((name) => {
      const [host = '', port = '2113'] = name.split(':')
      return { host, port: Number(port) }
    })
}

/** The address of one of its nodes, with the same user and options. */
export function ofNode(url: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const { address, options } = partsOf(url)
  const login = /^[^:]*:\/\/([^@]*@)/.exec(address)?.[1] ?? ''
  return `esdb://${login}${host}:${port}${options === '' ? '' : `?${options}`}`
}

export const userOf = (url: string): string | null => {
  const user = /^[^:]*:\/\/([^@:]*):[^@]*@/.exec(partsOf(url).address)?.[1]
  return user === undefined ? null : decodeURIComponent(user)
}

export const usesTls = (url: string): boolean =>
  !partsOf(url)
    .options.split('&')
    .some((option) => plain(option) === 'tls=false')

function partsOf(url: string): { readonly address: string; readonly options: string } {
  const [address = '', options = ''] = url.trim().split(/\?(.*)/s)
  return { address: address.replace(/\/+$/, ''), options }
}

const isHost = (host: string): boolean => URL.canParse(`http://${host}`)

/** Loaded only when a URL is set: the embedded shape starts without the client. */
const client = () => createRequire(import.meta.url)('@eventstore/db-client') as typeof import('@eventstore/db-client')
