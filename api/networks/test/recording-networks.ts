/** For tests: the four networks as live servers for the product, recording every secret that passes. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import express, { type RequestHandler } from 'express'
import type { Platform } from '../../../domain/core/values.ts'
import type { Clock } from '../../core/clock.ts'
import { createSandbox } from '../../sandbox/server.ts'
import { networkPath } from '../../sandbox/ports.ts'

export interface RecordingNetworks {
  /** The environment that makes them live for a server. */
  readonly env: Readonly<Record<string, string>>
  /** Every token, code, verifier and app secret in any request or response. */
  readonly secrets: ReadonlySet<string>
  /** The allowed redirect target: the server's own URL, once it is known. */
  returnTo(origin: string): void
  plan(platform: Platform, remoteId: string, kind: string, step?: string): Promise<void>
  revoke(platform: Platform, remoteId: string): Promise<void>
  /**
   * From now on each response to a mutation quotes its token: in an error, or in a non-JSON body. Null: normal again.
   */
  quoteKeys(how: 'error' | 'garbage' | null): void
  /** The number of requests with this part in their URL or body. */
  asked(part: string): number
  close(): Promise<void>
}

const secretNames = /^(access_token|refresh_token|code|code_verifier|client_secret|fb_exchange_token|token)$/
const appSecrets = [
  'facebook-app-secret-1',
  'instagram-app-secret-2',
  'x-client-secret-3',
  'linkedin-client-secret-4',
] as const

export async function recordingNetworks(folder: string, clock: Clock): Promise<RecordingNetworks> {
  const secrets = new Set<string>(appSecrets)
  const requests: string[] = []
  const origins: string[] = []
  let quotes: 'error' | 'garbage' | null = null

  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && secretNames.test(name) && inner.length >= 8) secrets.add(inner)
      else note(inner)
    }
  }
  const spy: RequestHandler = (request, response, next) => {
    const bearer = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1]
    if (bearer !== undefined) secrets.add(bearer)
    note(request.query)
    const json = response.json.bind(response)
    response.json = (body: unknown) => {
      note(body)
      return json(body)
    }
    response.on('finish', () => {
      note(request.body)
      requests.push(`${request.method} ${request.originalUrl} ${JSON.stringify(request.body ?? null)}`)
      const location = response.getHeader('location')
      if (typeof location === 'string' && URL.canParse(location))
        note(Object.fromEntries(new URL(location).searchParams))
    })
    const isMutation = request.method === 'POST' && /\/(feed|media_publish|tweets|posts)$/.test(request.path)
    if (quotes === null || !isMutation || bearer === undefined) return next()
    const message = `The key ${bearer} is not good: Bearer ${bearer}`
    if (quotes === 'garbage') return void response.status(200).type('html').send(`<html>${message}</html>`)
    response.status(400).json({
      error: { message, code: 100, type: 'OAuthException' },
      title: message,
      detail: message,
      status: 400,
      message,
      code: message,
    })
  }

  const app = express()
  app.set('query parser', 'simple')
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const base = `http://127.0.0.1:${address.port}/sandbox`
  const sandbox = createSandbox({
    file: join(folder, 'networks.db'),
    clock,
    publicUrl: base,
    returnOrigins: origins,
    faults: true,
  })
  app.use('/sandbox', spy, sandbox.router)

  const tell = async (path: string, result: object) => {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const { status } = await fetch(`${base}/admin/${path}`, { method: 'POST', headers, body: JSON.stringify(result) })
    if (status !== 204) throw new Error(`The networks answered ${status} to ${path}`)
  }
  const at = (platform: Platform) => `${base}/${networkPath(platform)}`
  const [facebookSecret, instagramSecret, xSecret, linkedinSecret] = appSecrets
  return {
    env: {
      FACEBOOK_APP_ID: 'app',
      FACEBOOK_APP_SECRET: facebookSecret,
      FACEBOOK_DIALOG_URL: at('facebook'),
      FACEBOOK_GRAPH_URL: at('facebook'),
      INSTAGRAM_APP_ID: 'app',
      INSTAGRAM_APP_SECRET: instagramSecret,
      INSTAGRAM_WWW_URL: at('instagram'),
      INSTAGRAM_API_URL: at('instagram'),
      INSTAGRAM_GRAPH_URL: at('instagram'),
      X_CLIENT_ID: 'app',
      X_CLIENT_SECRET: xSecret,
      X_AUTHORIZE_URL: at('twitter'),
      X_API_URL: at('twitter'),
      LINKEDIN_CLIENT_ID: 'app',
      LINKEDIN_CLIENT_SECRET: linkedinSecret,
      LINKEDIN_WWW_URL: at('linkedin'),
      LINKEDIN_API_URL: at('linkedin'),
      LINKEDIN_SCOPE:
        'openid profile r_basicprofile w_member_social r_member_social w_organization_social r_organization_social rw_organization_admin',
    },
    secrets,
    returnTo: (origin) => void origins.push(origin),
    plan: (platform, remoteId, kind, step = 'publish') => tell('faults', { platform, remoteId, kind, step }),
    revoke: (platform, remoteId) => tell('revoke', { platform, remoteId }),
    quoteKeys: (how) => void (quotes = how),
    asked: (part) => requests.filter((request) => request.includes(part)).length,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      sandbox.close()
    },
  }
}
