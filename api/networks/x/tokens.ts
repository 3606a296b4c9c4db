/** X's tokens: valid for two hours, with a refresh token that works once. Its second use revokes the whole family. */
import type { Clock } from '../../core/clock.ts'
import { later } from '../../core/clock.ts'
import { understood, type NetworkClient } from '../network-client.ts'
import { ConnectionLost, NetworkError, type Connection, type Profile, type Tokens } from '../port.ts'
import type { XSettings } from './settings.ts'
import { keyProblem, keys, me } from './wire.ts'

export interface Keyring {
  exchange(consent: {
    readonly code: string
    readonly redirectUri: string
    readonly codeVerifier: string
  }): Promise<readonly Profile[]>
  renew(tokens: Tokens): Promise<Tokens>
  revoke(connection: Connection): Promise<void>
}

export function keyring(line: NetworkClient, { clientId, clientSecret, apiUrl, clock }: XSettings): Keyring {
  const headers = {
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
  }
  const ask = (path: string, form: Record<string, string>) =>
    line.any(`${apiUrl}/2/oauth2/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...form, client_id: clientId }),
    })

  const trade = async (form: Record<string, string>, refusal: NetworkError): Promise<Tokens> => {
    const { status, body } = await ask('token', form)
    if (status === 200) return tokensOf(understood(line.name, keys, body), clock)
    if (status >= 500) throw new NetworkError(`${line.name} answered with an error (${status}).`)
    if (status === 429) throw new NetworkError(`${line.name} asks us to slow down.`)
    const said = keyProblem.safeParse(body).data?.error
    if (status === 401 || said === 'invalid_client' || said === 'unauthorized_client') {
      throw new NetworkError(`${line.name} does not know this server's client id and secret.`)
    }
    throw refusal
  }

  return {
    async exchange({ code, redirectUri, codeVerifier }) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
      const tokens = await trade(
        form,
        new NetworkError(`${line.name} did not accept the consent. Connect the account again.`),
      )
      const { data } = await line.ask(
        `${apiUrl}/2/users/me`,
        { headers: { authorization: `Bearer ${tokens.accessToken}` } },
        me,
      )
      return [{ remoteId: data.id, name: data.name, tokens }]
    },

    async renew({ refreshToken }) {
      const gone = new ConnectionLost(`${line.name} no longer renews this connection. Connect the account again.`)
      if (refreshToken === null) throw gone
      return trade({ grant_type: 'refresh_token', refresh_token: refreshToken }, gone)
    },

    async revoke({ tokens: { accessToken, refreshToken } }) {
      // The longer-lived token first.
      for (const token of [refreshToken, accessToken]) {
        if (token === null) continue
        const { status } = await ask('revoke', { token })
        if (status >= 400) throw new NetworkError(`${line.name} did not revoke the access (${status}).`)
      }
    },
  }
}

const tokensOf = (
  given: { access_token: string; refresh_token?: string | undefined; expires_in: number },
  clock: Clock,
): Tokens => ({
  accessToken: given.access_token,
  // The old one is revoked by now, so it can't be kept instead.
  refreshToken: given.refresh_token ?? null,
  expiresAt: later(clock.now(), given.expires_in * 1000),
  endsAt: null,
})
