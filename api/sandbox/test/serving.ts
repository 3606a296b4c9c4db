/** A sandbox on a separate server for tests: with a given folder and clock, controlled over real HTTP. */
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import type { z } from 'zod'
import { platforms, type Platform } from '../../../domain/core/values.ts'
import type { Clock } from '../../core/clock.ts'
import type { faultSchema } from '../faults.ts'
import type { Limit } from '../limits.ts'
import { networkPath, type FetchImage } from '../ports.ts'
import { recording, type Recorded } from './recording.ts'
import { createSandbox } from '../server.ts'
import type { SandboxPost } from '../store/feed.ts'
import { remoteIdOf } from '../store/profiles.ts'

export interface Served {
  readonly url: string
  /** Plans a fault for an account's next requests; a LinkedIn organization is named by its URN. */
  plan(
    platform: Platform,
    accountName: string,
    fault: Omit<z.input<typeof faultSchema>, 'platform' | 'remoteId'>,
  ): Promise<void>
  /** Revokes an account's tokens, as its owner can on the network. */
  revoke(platform: Platform, accountName: string): Promise<void>
  /** The number of posts each profile may publish from now on. */
  limit(platform: Platform, limit: Limit): Promise<void>
  posts(): Promise<SandboxPost[]>
  /** All requests to the networks, in order, tokens included. */
  requests(): readonly Recorded[]
  close(): Promise<void>
}

export const redirectUri = 'http://127.0.0.1:9/api/oauth/callback'

interface Serving {
  readonly fetchImage?: FetchImage
  /** Called with each request that a planned timeout leaves without an answer. */
  readonly leftOpen?: (request: IncomingMessage) => void
  /** Milliseconds until feeds list the next accepted post. */
  readonly feedLagMs?: (() => number) | undefined
}

export async function serveSandbox(
  folder: string,
  clock: Clock,
  { fetchImage, leftOpen, feedLagMs }: Serving = {},
): Promise<Served> {
  const app = express()
  app.set('etag', false)
  app.set('query parser', 'simple')
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const url = `http://127.0.0.1:${address.port}/sandbox`
  const sandbox = createSandbox({
    file: join(folder, 'sandbox.db'),
    clock,
    publicUrl: url,
    returnOrigins: [new URL(redirectUri).origin],
    faults: true,
    callers: 'workers',
    ...(fetchImage ? { fetchImage } : {}),
    ...(leftOpen ? { leftOpen } : {}),
    ...(feedLagMs ? { feedLagMs } : {}),
  })
  const recorder = recording(new Set(platforms.map(networkPath)))
  app.use('/sandbox', recorder.middleware, sandbox.router)
  const idOf = (platform: Platform, name: string) => (name.startsWith('urn:li:') ? name : remoteIdOf(platform, name))

  const tell = async (path: string, result: object) => {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const { status } = await fetch(`${url}/admin/${path}`, { method: 'POST', headers, body: JSON.stringify(result) })
    if (status !== 204) throw new Error(`The sandbox answered ${status} to ${path}`)
  }

  return {
    url,
    plan: (platform, accountName, fault) =>
      tell('faults', { ...fault, platform, remoteId: idOf(platform, accountName) }),
    revoke: (platform, accountName) => tell('revoke', { platform, remoteId: idOf(platform, accountName) }),
    limit: (platform, limit) => tell('limits', { platform, ...limit }),
    posts: async () =>
      (await fetch(`${url}/admin/posts`, { headers: { connection: 'close' } })).json() as Promise<SandboxPost[]>,
    requests: () => recorder.requests(),
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      sandbox.close()
    },
  }
}

/**
 * Submits a consent page with *Allow* and returns the code of the redirect.
 * @param profiles the profiles to share; by default the one that the link names
 */
export async function allow(consentUrl: string, profiles?: readonly string[]): Promise<string> {
  const asked = new URL(consentUrl)
  const body = new URLSearchParams(asked.searchParams)
  if (profiles) body.set('profiles', profiles.join('\r\n'))
  const answer = await fetch(`${asked.origin}${asked.pathname}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { connection: 'close' },
  })
  const code = new URL(answer.headers.get('location') ?? 'http://nowhere').searchParams.get('code')
  if (code === null) throw new Error(`The consent page answered ${answer.status}`)
  return code
}
