/** A provider that speaks the whole protocol, and a person who signs in there at once. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export interface Claims {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly given_name?: string
  readonly family_name?: string
}

export class RealProvider {
  issuer = ''
  /** Who signs in next. */
  person: Claims = { sub: 'ada' }
  #provider: Provider | null = null
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async takeClient(redirectUri: string): Promise<void> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: 'socialai',
          client_secret: 'a secret of the tests',
          redirect_uris: [redirectUri],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'one' }] },
      cookies: { keys: ['cookies of the tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: () => '/interaction' },
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...this.person, sub }) }),
    })
  }

  /** The browser's way through the provider. Returns the address that it is sent back to. */
  async signIn(url: string): Promise<URL> {
    const cookies = new Map<string, string>()
    let address = new URL(url)
    for (let hop = 0; hop < 10; hop++) {
      const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
      const answer = await fetch(address, { redirect: 'manual', headers })
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
      address = new URL(location, address)
      if (address.pathname.endsWith('/callback')) return address
    }
    throw new Error('The provider sends the browser in circles')
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider
    if (!provider) return void response.writeHead(503).end()
    if (!request.url?.startsWith('/interaction')) return provider.callback()(request, response)
    const { prompt, params } = await provider.interactionDetails(request, response)
    const accountId = this.person.sub
    if (prompt.name === 'login')
      return provider.interactionFinished(
        request,
        response,
        { login: { accountId } },
        { mergeWithLastSubmission: true },
      )
    const grant = new provider.Grant({ accountId, clientId: params['client_id'] })
    grant.addOIDCScope('openid email profile')
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
  }
}
