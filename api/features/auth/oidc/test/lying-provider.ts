/** A provider whose answers tests choose, right or wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'

/** What is not as it should be. */
export interface Lies {
  readonly claims?: Readonly<Record<string, unknown>>
  /** Signed by a key that the provider does not publish. */
  readonly isForged?: boolean
  /** Answers to the request for tokens with this status. */
  readonly status?: number
  /** So many bytes too many. */
  readonly padding?: number
  /** Takes the request, and never answers. */
  readonly isSilent?: boolean
}

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

export class LyingProvider {
  issuer = ''
  person: Readonly<Record<string, unknown>> = {}
  lies: Lies = {}
  /** Asked for again, whatever the lies. */
  discoveries = 0
  tokenRequests = 0
  #keys: Keys | null = null
  #stranger: Keys | null = null
  readonly #nonces = new Map<string, string>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<void> {
    this.#keys = await generateKeyPair('ES256', { extractable: true })
    this.#stranger = await generateKeyPair('ES256')
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The query of the address that the browser is sent back to. */
  signIn(url: string): Record<string, string> {
    const asked = new URL(url).searchParams
    const code = `code-${this.#nonces.size}`
    this.#nonces.set(code, asked.get('nonce') ?? '')
    return { state: asked.get('state') ?? '', code }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { issuer, lies } = this
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/jwks') {
      const keys = this.#keys ? [{ ...(await exportJWK(this.#keys.publicKey)), alg: 'ES256', use: 'sig' }] : []
      return void json({ keys })
    }
    if (request.url !== '/token') {
      this.discoveries += 1
      return void json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
      })
    }
    this.tokenRequests += 1
    if (lies.isSilent) return
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const nonce = this.#nonces.get(new URLSearchParams(body).get('code') ?? '')
    const key = (lies.isForged ? this.#stranger : this.#keys)?.privateKey
    const idToken = await signed({ nonce, iss: issuer, aud: 'socialai', ...this.person, ...lies.claims }, key)
    const tokens = {
      access_token: 'a token',
      token_type: 'Bearer',
      id_token: idToken,
      padding: ' '.repeat(lies.padding ?? 0),
    }
    json(lies.status === undefined ? tokens : { error: 'invalid_grant' }, lies.status)
  }
}

const signed = (claims: Record<string, unknown>, key: CryptoKey | undefined): Promise<string> => {
  if (!key) throw new Error('The provider was not started')
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).setIssuedAt()
  return (claims['exp'] === undefined ? token.setExpirationTime('1m') : token).sign(key)
}
