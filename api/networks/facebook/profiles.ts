/** Exchanges a consent's code for the Pages that it covers: the user's own, and those of their businesses. */
import { z } from 'zod'
import { query } from '../http.ts'
import { Refused, type NetworkClient } from '../network-client.ts'
import { NetworkError, type Profile } from '../port.ts'
import { graphError } from './errors.ts'
import { maxListPages, pageSize, type FacebookSettings } from './settings.ts'
import { after, business, keys, list, page } from './wire.ts'

/** @throws NetworkError */
export async function exchangeForPages(
  line: NetworkClient,
  { clientId, clientSecret, graphUrl, version }: FacebookSettings,
  { code, redirectUri }: { readonly code: string; readonly redirectUri: string },
): Promise<readonly Profile[]> {
  const base = `${graphUrl}/${version}`
  const app = { client_id: clientId, client_secret: clientSecret }

  // Sent as forms: Graph accepts query parameters too, but access logs contain those.
  const trade = async (form: Record<string, string>) => {
    const answer = await line.any(`${base}/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ ...app, ...form }),
    })
    const traded = keys.safeParse(answer.body)
    if (answer.status === 200 && traded.success) return traded.data.access_token
    if (answer.status >= 500) throw new NetworkError(`${line.name} answered with an error (${answer.status}).`)
    // 101: developers.facebook.com/docs/graph-api/guides/error-handling, an unknown app.
    if (graphError(answer)?.code === 101)
      throw new NetworkError(`${line.name} does not know this server's app id and secret.`)
    throw new NetworkError(`${line.name} did not accept the consent. Connect the account again.`)
  }
  const shortLived = await trade({ redirect_uri: redirectUri, code })
  // Only a long-lived user token yields Page tokens that don't expire.
  const user = await trade({ grant_type: 'fb_exchange_token', fb_exchange_token: shortLived })
  const headers = { authorization: `Bearer ${user}` }

  const all = async <T>(path: string, fields: string, entry: z.ZodType<T>): Promise<T[]> => {
    const entries: T[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < maxListPages; pages++) {
      const url = `${base}/${path}?${query({ fields, limit: pageSize, after: cursor })}`
      const answer: { data: T[]; paging?: z.output<ReturnType<typeof list>>['paging'] } = await line.ask(
        url,
        { headers },
        list(entry),
      )
      entries.push(...answer.data)
      cursor = after(answer)
      if (cursor === null) break
    }
    return entries
  }
  const pagesAt = (path: string) => all(path, 'id,name,access_token', page)

  const found = await pagesAt('me/accounts')
  for (const { id } of await unlessRefused(all('me/businesses', 'id,name', business))) {
    found.push(
      ...(await unlessRefused(pagesAt(`${id}/owned_pages`))),
      ...(await unlessRefused(pagesAt(`${id}/client_pages`))),
    )
  }

  const profiles = new Map<string, Profile>()
  for (const { id, name, access_token: accessToken } of found) {
    if (accessToken === undefined || profiles.has(id)) continue
    profiles.set(id, { remoteId: id, name, tokens: { accessToken, refreshToken: null, expiresAt: null, endsAt: null } })
  }
  if (profiles.size === 0)
    throw new NetworkError(
      `${line.name} shared no Page that can be posted to. Connect again and choose at least one Page.`,
    )
  return [...profiles.values()]
}

/** `business_management` may not be granted: the user's own Pages are enough. */
async function unlessRefused<T>(entries: Promise<T[]>): Promise<T[]> {
  try {
    return await entries
  } catch (error) {
    if (error instanceof Refused && error.refusal.verdict === 'refused' && error.refusal.remedy !== 'wait') return []
    throw error
  }
}
