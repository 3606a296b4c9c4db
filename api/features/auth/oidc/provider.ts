/**
 * The provider of single sign-on: sends browsers to it, and checks what comes back. The library throws an error for
 * each kind of wrong answer; here they all become null, because callers give one answer to all of them.
 */
import type { Configuration, IDToken } from 'openid-client'
import { email as emailSchema } from '../../../contract/auth.ts'
import { boundedFetch, ProviderUnavailable } from './bounded-fetch.ts'
import type { OidcSettings } from './config.ts'

export interface Asked {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** Asks for the password again, even of a person who is signed in at the provider. */
  readonly isFresh: boolean
}

export interface Identity {
  readonly issuer: string
  /** Never used again by the provider for another person. */
  readonly subject: string
  /** In lower case; empty where the provider tells none, or none that an account can have. */
  readonly email: string
  readonly emailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
}

/** What the provider says about itself is asked for again after this long, and its keys with it. */
const rediscoverMs = 3_600_000
/** How long ago the person may have signed in at the provider, where it must have been just now. */
const freshSeconds = 300
const maxName = 120

// Loaded at first use: nearly all requests need none of it.
const library = () => import('openid-client')

export class OidcProvider {
  readonly name: string
  readonly redirectUri: string
  #discovered: { readonly config: Promise<Configuration>; readonly until: number } | null = null

  constructor(
    private readonly settings: OidcSettings,
    publicUrl: string,
  ) {
    this.name = settings.name
    this.redirectUri = `${publicUrl}/api/auth/oidc/callback`
  }

  get issuer(): string {
    return this.settings.issuer
  }

  allows(email: string): boolean {
    return this.settings.allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))
  }

  /** @throws ProviderUnavailable */
  async authorizationUrl({ state, nonce, codeVerifier, isFresh }: Asked): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    return buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(isFresh && { prompt: 'login', max_age: String(freshSeconds) }),
    }).href
  }

  /**
   * The person who signed in at the provider; null for an answer that is wrong in any way. @param search the query of
   * the callback @throws ProviderUnavailable
   */
  async identity(search: string, asked: Asked): Promise<Identity | null> {
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    const config = await this.#configuration()
    try {
      const checks = {
        expectedState: asked.state,
        expectedNonce: asked.nonce,
        pkceCodeVerifier: asked.codeVerifier,
        idTokenExpected: true,
        ...(asked.isFresh && { maxAge: freshSeconds }),
      }
      const tokens = await authorizationCodeGrant(config, new URL(`${this.redirectUri}?${search}`), checks)
      const claims = tokens.claims()
      if (!claims) return null
      const hasMore = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {}
      return identityIn({ ...more, ...claims })
    } catch (error) {
      if (isUnavailable(error)) throw new ProviderUnavailable('The provider did not answer', { cause: error })
      return null
    }
  }

  async #configuration(): Promise<Configuration> {
    const now = performance.now()
    if (this.#discovered && this.#discovered.until > now) return this.#discovered.config
    const config = this.#discover()
    const discovered = { config, until: now + rediscoverMs }
    this.#discovered = discovered
    try {
      return await config
    } catch (error) {
      if (this.#discovered === discovered) this.#discovered = null
      throw error instanceof ProviderUnavailable
        ? error
        : new ProviderUnavailable('The provider describes itself wrongly', { cause: error })
    }
  }

  async #discover(): Promise<Configuration> {
    const {
      allowInsecureRequests,
      ClientSecretBasic,
      ClientSecretPost,
      customFetch,
      discovery,
      enableNonRepudiationChecks,
    } = await library()
    const { issuer, clientId, clientSecret } = this.settings
    const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
    // Settings allow http: for this machine alone.
    const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    return discovery(
      new URL(issuer),
      clientId,
      {},
      (server, ...request) => {
        const methods = server.token_endpoint_auth_methods_supported
        return ((methods?.includes('client_secret_basic') ?? true) ? basic : post)(server, ...request)
      },
      {
        [customFetch]: (url: string, options: object) => boundedFetch(url, options),
        // Also where the token came straight from the provider: a proxy in between may be wrong.
        execute: [enableNonRepudiationChecks, ...insecure],
      },
    )
  }
}

/** The library wraps the errors of requests. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof ProviderUnavailable || (error instanceof Error && isUnavailable(error.cause))

function identityIn(claims: Partial<IDToken>): Identity | null {
  const { iss: issuer, sub: subject, email, email_verified: emailVerified } = claims
  if (typeof issuer !== 'string' || typeof subject !== 'string') return null
  const address = emailSchema.safeParse(email)
  return {
    issuer,
    subject,
    email: address.success ? address.data : '',
    emailVerified: emailVerified === true,
    firstName: nameIn(claims['given_name']),
    lastName: nameIn(claims['family_name']),
  }
}

const nameIn = (claim: unknown): string | null => (typeof claim === 'string' && claim.trim().slice(0, maxName)) || null
