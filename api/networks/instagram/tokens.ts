/**
 * Instagram's tokens: valid for an hour, exchanged for 60 days; they can refresh themselves once they are a day old.
 */
import { query } from '../http.ts'
import { Refused, type NetworkClient } from '../network-client.ts'
import { NetworkError, type Profile, type Tokens } from '../port.ts'
import { later } from '../../core/clock.ts'
import type { InstagramSettings } from './settings.ts'
import { longKeys, me, shortKeys } from './wire.ts'

/** @throws NetworkError */
export async function exchangeForAccount(
  line: NetworkClient,
  settings: InstagramSettings,
  { code, redirectUri }: { readonly code: string; readonly redirectUri: string },
): Promise<readonly Profile[]> {
  const { clientId, clientSecret, apiUrl, graphUrl, version } = settings
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    // Instagram appends this to its codes, and doesn't accept it back.
    code: code.replace(/#_$/, ''),
  })
  const answer = await line.any(`${apiUrl}/oauth/access_token`, { method: 'POST', body })
  const traded = shortKeys.safeParse(answer.body)
  if (answer.status >= 500) throw new NetworkError(`${line.name} answered with an error (${answer.status}).`)
  if (answer.status !== 200 || !traded.success)
    throw new NetworkError(`${line.name} did not accept the consent. Connect the account again.`)

  const tokens = await longLived(
    line,
    settings,
    `${graphUrl}/access_token?${query({
      grant_type: 'ig_exchange_token',
      client_secret: clientSecret,
      access_token: traded.data.access_token,
    })}`,
  )
  const url = `${graphUrl}/${version}/me?${query({ fields: 'user_id,username' })}`
  const { user_id: remoteId, username } = await line.ask(
    url,
    { headers: { authorization: `Bearer ${tokens.accessToken}` } },
    me,
  )
  return [{ remoteId, name: username, tokens }]
}

/** @throws ConnectionLost when the token is dead, NetworkError also when it is less than a day old */
export function renewed(line: NetworkClient, settings: InstagramSettings, key: string): Promise<Tokens> {
  return longLived(
    line,
    settings,
    `${settings.graphUrl}/refresh_access_token?${query({ grant_type: 'ig_refresh_token', access_token: key })}`,
  )
}

/** The documented request has the token in the query; nothing here logs a URL. */
async function longLived(line: NetworkClient, { clock }: InstagramSettings, url: string): Promise<Tokens> {
  try {
    const { access_token: accessToken, expires_in: seconds } = await line.ask(url, {}, longKeys)
    const expiresAt = later(clock.now(), seconds * 1000)
    // An expired token can't refresh itself any more.
    return { accessToken, refreshToken: accessToken, expiresAt, endsAt: expiresAt }
  } catch (error) {
    if (error instanceof Refused && error.refusal.remedy === 'edit')
      throw new NetworkError(`${line.name} did not renew the access just now.`)
    throw error
  }
}
