/** LinkedIn's tokens and their profiles: the member, and the organizations that the member manages. */
import { later } from '../../core/clock.ts'
import { query } from '../http.ts'
import { Refused, understood, type NetworkClient } from '../network-client.ts'
import { ConnectionLost, NetworkError, type Profile, type Tokens } from '../port.ts'
import { restHeaders } from './headers.ts'
import { maxOrganisationPages, organisationsPage, type LinkedInSettings } from './settings.ts'
import { acls, basicProfile, keyProblem, keys, organisation, userinfo } from './wire.ts'

/** @throws NetworkError */
export async function exchangeForProfiles(
  line: NetworkClient,
  settings: LinkedInSettings,
  { code, redirectUri }: { readonly code: string; readonly redirectUri: string },
): Promise<readonly Profile[]> {
  const refusal = new NetworkError(`${line.name} did not accept the consent. Connect the account again.`)
  const tokens = await trade(
    line,
    settings,
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    null,
    refusal,
  )
  const member = await memberOf(line, settings, tokens)
  return [{ ...member, tokens }, ...(await organisationsOf(line, settings, tokens))]
}

/** @throws ConnectionLost when a user has to connect again, NetworkError */
export async function renewed(line: NetworkClient, settings: LinkedInSettings, tokens: Tokens): Promise<Tokens> {
  const gone = new ConnectionLost(`${line.name} no longer renews this connection. Connect the account again.`)
  if (tokens.refreshToken === null) throw gone
  return trade(line, settings, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }, tokens, gone)
}

/** @param refusal the error when LinkedIn rejects the code or token */
async function trade(
  line: NetworkClient,
  { clientId, clientSecret, wwwUrl, clock }: LinkedInSettings,
  form: Record<string, string>,
  old: Tokens | null,
  refusal: NetworkError,
): Promise<Tokens> {
  const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret })
  const answer = await line.any(`${wwwUrl}/oauth/v2/accessToken`, { method: 'POST', body })
  if (answer.status >= 500) throw new NetworkError(`${line.name} answered with an error (${answer.status}).`)
  if (answer.status === 429) throw new NetworkError(`${line.name} takes no more requests for now.`)
  if (keyProblem.safeParse(answer.body).data?.error === 'invalid_client')
    throw new NetworkError(`${line.name} does not know this server's client id and secret.`)
  if (answer.status !== 200) throw refusal

  const given = understood(line.name, keys, answer.body)
  const now = clock.now()
  const expiresAt = later(now, given.expires_in * 1000)
  // Without a new refresh token in the response the old one stays valid; its year counts from the first consent.
  const refreshToken = given.refresh_token ?? old?.refreshToken ?? null
  const renewableUntil =
    given.refresh_token_expires_in === undefined
      ? (old?.endsAt ?? null)
      : later(now, given.refresh_token_expires_in * 1000)
  return {
    accessToken: given.access_token,
    refreshToken,
    expiresAt,
    endsAt: refreshToken === null ? expiresAt : renewableUntil,
  }
}

/** @throws ConnectionLost, NetworkError */
export async function memberOf(
  line: NetworkClient,
  { apiUrl, scope, memberUrn }: LinkedInSettings,
  { accessToken }: Tokens,
): Promise<{ readonly remoteId: string; readonly name: string }> {
  const headers = { authorization: `Bearer ${accessToken}` }
  if (scope.split(/\s+/).includes('openid')) {
    const { sub, name } = await line.ask(`${apiUrl}/v2/userinfo`, { headers }, userinfo)
    return { remoteId: memberUrn(sub), name }
  }
  const {
    id,
    localizedFirstName: first,
    localizedLastName: last,
  } = await line.ask(`${apiUrl}/v2/me`, { headers }, basicProfile)
  return { remoteId: memberUrn(id), name: `${first} ${last}`.trim() }
}

/** Empty if the consent doesn't allow it. */
async function organisationsOf(line: NetworkClient, settings: LinkedInSettings, tokens: Tokens): Promise<Profile[]> {
  const { apiUrl } = settings
  const headers = restHeaders(settings, tokens)
  const urns: string[] = []
  try {
    for (let page = 0; page < maxOrganisationPages; page++) {
      const asked = query({
        q: 'roleAssignee',
        role: 'ADMINISTRATOR',
        state: 'APPROVED',
        start: page * organisationsPage,
        count: organisationsPage,
      })
      const { elements } = await line.ask(
        `${apiUrl}/rest/organizationAcls?${asked}`,
        { headers: { ...headers, 'x-restli-method': 'FINDER' } },
        acls,
      )
      urns.push(...elements.map(({ organization }) => organization))
      if (elements.length < organisationsPage) break
    }
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return []
    throw error
  }
  const profiles: Profile[] = []
  for (const remoteId of new Set(urns)) {
    const id = remoteId.slice(remoteId.lastIndexOf(':') + 1)
    const { localizedName: name } = await line.ask(
      `${apiUrl}/rest/organizations/${encodeURIComponent(id)}`,
      { headers },
      organisation,
    )
    profiles.push({ remoteId, name, tokens })
  }
  return profiles
}
