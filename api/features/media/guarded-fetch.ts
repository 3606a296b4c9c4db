/**
 * Fetches a URL that a user entered, without giving access to the private network (SSRF): the host name is resolved
 * here, all of its addresses must be public, and the connection goes to exactly the checked addresses.
 */
import dns from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { maxImageBytes } from '../../contract/index.ts'
import { reachOf } from './addresses.ts'
import { Refusal, type FetchRefusal } from './fetch-refusals.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface FetchOptions {
  /** Also allows this machine and its own network, at any port: for operators whose image server is internal. */
  readonly allowPrivate?: boolean
  /** Resolves all addresses of a name. */
  readonly lookup?: (hostname: string) => Promise<readonly ResolvedAddress[]>
  /** For the whole fetch, redirects included. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

export type Fetched =
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'refused' } & FetchRefusal)
export type GuardedFetch = (url: string) => Promise<Fetched>

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

type Limits = Required<FetchOptions>

export function guardedFetch(options: FetchOptions = {}): GuardedFetch {
  const limits: Limits = {
    allowPrivate: false,
    lookup: (hostname) => dns.lookup(hostname, { all: true, verbatim: true }),
    timeoutMs: 10_000,
    maxBytes: maxImageBytes,
    ...options,
  }
  return async (url) => {
    const signal = AbortSignal.timeout(limits.timeoutMs)
    try {
      return { kind: 'fetched', bytes: await follow(url, limits, signal) }
    } catch (error) {
      return { kind: 'refused', ...refusalOf(error, limits, signal) }
    }
  }
}

async function follow(url: string, limits: Limits, signal: AbortSignal): Promise<Uint8Array> {
  let target = targetOf(url, limits)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await get(target, await addressesOf(target, limits, signal), signal)
    const { statusCode: status = 0, headers } = answer
    if (status === 200) return await read(answer, limits)
    answer.destroy()
    if (!redirects.has(status) || headers.location === undefined) throw new Refusal({ reason: 'answered', status })
    if (!URL.canParse(headers.location, target)) throw new Refusal({ reason: 'not-a-web-address' })
    target = targetOf(new URL(headers.location, target).href, limits)
  }
  throw new Refusal({ reason: 'too-many-redirects' })
}

/** @throws Refusal for anything but a plain web address */
function targetOf(url: string, { allowPrivate }: Limits): URL {
  if (!URL.canParse(url)) throw new Refusal({ reason: 'not-a-web-address' })
  const target = new URL(url)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') throw new Refusal({ reason: 'not-a-web-address' })
  if (target.username !== '' || target.password !== '') throw new Refusal({ reason: 'has-credentials' })
  // Other ports belong to mail servers, databases and consoles, and would allow port scans.
  if (!allowPrivate && !['', '80', '443'].includes(target.port)) throw new Refusal({ reason: 'port' })
  return target
}

/** All addresses of the host, if each may be contacted. The URL parser turns 0x7f.1 and 2130706433 into 127.0.0.1. */
async function addressesOf({ hostname }: URL, { allowPrivate, lookup }: Limits, signal: AbortSignal) {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses = family === 0 ? await within(signal, lookup(host)) : [{ address: host, family }]
  const allowed = new Set(allowPrivate ? ['public', 'internal'] : ['public'])
  if (!addresses.every(({ address }) => allowed.has(reachOf(address)))) throw new Refusal({ reason: 'private-network' })
  if (addresses.length === 0) throw new Refusal({ reason: 'no-such-host' })
  return addresses
}

/** A resolver can't be cancelled, so stop waiting for it. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function get(target: URL, addresses: readonly ResolvedAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  // A second resolution could return another address than the checked one.
  const lookup: LookupFunction = (_, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
  return new Promise((resolve, reject) => {
    // No shared agent: a kept-alive connection may lead to an address that was not checked for this fetch.
    const options = {
      agent: false,
      lookup,
      signal,
      headers: { Accept: 'image/*', 'Accept-Encoding': 'identity', 'User-Agent': 'SocialAI' },
    }
    const asked = target.protocol === 'https:' ? https.get(target, options) : http.get(target, options)
    asked.on('response', resolve).on('error', reject)
  })
}

async function read(answer: IncomingMessage, { maxBytes }: Limits): Promise<Uint8Array> {
  const tooLarge = new Refusal({ reason: 'too-large', maxBytes })
  const parts: Buffer[] = []
  let size = 0
  const declared = Number(answer.headers['content-length'] ?? 0)
  if (declared > maxBytes) answer.destroy(tooLarge)
  for await (const part of answer) {
    parts.push(part as Buffer)
    size += parts.at(-1)?.length ?? 0
    if (size > maxBytes) throw tooLarge
  }
  return Buffer.concat(parts)
}

const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_NODATA', 'EAI_NONAME'])

/** Maps expected network errors to a refusal. @throws all other errors */
function refusalOf(error: unknown, { timeoutMs }: Limits, signal: AbortSignal): FetchRefusal {
  if (error instanceof Refusal) return error.told
  if (signal.aborted) return new Refusal({ reason: 'too-slow', seconds: timeoutMs / 1000 }).told
  if (!(error instanceof Error && 'code' in error)) throw error
  return new Refusal({ reason: unknownHost.has(String(error.code)) ? 'no-such-host' : 'unreachable' }).told
}
