/** A sandbox on a server of its own, for tests: over real HTTP, on a folder and with a clock that the test gives. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import type { z } from 'zod'
import type { Platform } from '../../../domain/core/values.ts'
import type { Clock } from '../../clock.ts'
import type { Connection, Networks } from '../port.ts'
import { sandboxNetworks } from './connector.ts'
import type { faultSchema } from './faults.ts'
import { remoteIdOf, type SandboxPost } from './feed.ts'
import { createSandbox } from './server.ts'

export interface SandboxServer {
  readonly url: string
  readonly networks: Networks
  /** What a person does in the browser: opens the consent page, allows, and comes back. */
  connect(platform: Platform, accountName: string): Promise<Connection>
  /** What goes wrong with an account's next posts. */
  plan(platform: Platform, accountName: string, fault: Omit<z.input<typeof faultSchema>, 'platform' | 'remoteId'>): Promise<void>
  posts(): Promise<SandboxPost[]>
  close(): Promise<void>
}

export const redirectUri = 'http://127.0.0.1:9/api/oauth/callback'

/** @param timeoutMs how long the connector waits for an answer */
export async function startSandbox(folder: string, clock: Clock, timeoutMs = 400): Promise<SandboxServer> {
  const app = express()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const url = `http://127.0.0.1:${address.port}/sandbox`
  const returnOrigins = [new URL(redirectUri).origin]
  const sandbox = createSandbox({ file: join(folder, 'sandbox.db'), clock, publicUrl: url, returnOrigins, faults: true })
  app.use('/sandbox', sandbox.router)
  const networks = sandboxNetworks({ baseUrl: url, publicBaseUrl: url, timeoutMs })

  return {
    url,
    networks,
    async connect(platform, accountName) {
      const code = await allow(networks[platform].consentUrl({ state: 's', redirectUri, accountName }))
      return networks[platform].exchange({ code, redirectUri })
    },
    async plan(platform, accountName, fault) {
      const body = JSON.stringify({ ...fault, platform, remoteId: remoteIdOf(platform, accountName) })
      await fetch(`${url}/admin/faults`, { method: 'POST', headers: { 'content-type': 'application/json', connection: 'close' }, body })
    },
    posts: async () => (await fetch(`${url}/admin/posts`, { headers: { connection: 'close' } })).json() as Promise<SandboxPost[]>,
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      sandbox.close()
    },
  }
}

/** Presses *Allow* on a consent page and answers the code that comes back. */
export async function allow(consentUrl: string): Promise<string> {
  const asked = new URL(consentUrl)
  const body = new URLSearchParams(asked.searchParams)
  const answer = await fetch(`${asked.origin}${asked.pathname}`, { method: 'POST', body, redirect: 'manual', headers: { connection: 'close' } })
  const code = new URL(answer.headers.get('location') ?? 'http://nowhere').searchParams.get('code')
  if (code === null) throw new Error(`The consent page answered ${answer.status}`)
  return code
}
