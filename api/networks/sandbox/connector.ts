/** The four networks as the sandbox stands in for them, over HTTP. */
import { z } from 'zod'
import { platforms, type Platform } from '../../../domain/core/values.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { networkNames } from '../names.ts'
import type { Candidate, LookUp, Network, Networks, Outcome, Submission } from '../port.ts'
import { NetworkError } from '../port.ts'
import { ask, outcomeOfFailure, outcomeOfRefusal } from '../http.ts'

export interface SandboxAddress {
  /** Where this process reaches the sandbox, e.g. `http://127.0.0.1:3000/sandbox`. */
  readonly baseUrl: string
  /** Where a browser reaches it. */
  readonly publicBaseUrl: string
  /** The longest wait for one answer, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
}

const keys = z.object({ access_token: z.string().min(1), account_id: z.string().min(1) })
const created = z.object({ id: z.string().min(1), permalink: z.string().nullish() })
const feedPage = z.object({
  posts: z.array(z.object({ id: z.string(), message: z.string(), permalink: z.string().nullish() })),
  next_skip: z.int().nullable(),
})
const figures = z.object({
  views: z.int().optional(),
  likes: z.int().optional(),
  comments: z.int().optional(),
  shares: z.int().optional(),
})

/** How many pages of a feed a look-up reads before it says that it can't tell. */
const mostPages = 50

/** All four platforms on one sandbox. */
export function sandboxNetworks({ baseUrl, publicBaseUrl, timeoutMs = 10_000 }: SandboxAddress): Networks {
  const base = baseUrl.replace(/\/+$/, '')
  const publicBase = publicBaseUrl.replace(/\/+$/, '')
  const networks = platforms.map((platform) => [platform, sandboxNetwork(platform, base, publicBase, timeoutMs)] as const)
  return Object.fromEntries(networks) as Record<Platform, Network>
}

function sandboxNetwork(platform: Platform, base: string, publicBase: string, timeoutMs: number): Network {
  const name = `The ${networkNames[platform]} sandbox`
  const root = `${base}/${platform}`
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  const read = async <T>(url: string, key: string, shape: z.ZodType<T>): Promise<T> => {
    const answer = await reach(name, () => ask(url, { headers: bearer(key) }, timeoutMs))
    if (answer.status !== 200) throw new NetworkError(sentenceFor(name, answer.status))
    return understood(name, shape, answer.body)
  }

  return {
    platform,
    mode: 'sandbox',

    consentUrl({ state, redirectUri, accountName }) {
      const query = new URLSearchParams({ redirect_uri: redirectUri, state, account: accountName })
      return `${publicBase}/${platform}/oauth/authorize?${query}`
    },

    async exchange({ code, redirectUri }) {
      const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
      const answer = await reach(name, () => ask(`${root}/oauth/token`, { method: 'POST', body }, timeoutMs))
      if (answer.status !== 200) throw new NetworkError(`${name} did not accept the consent. Connect the account again.`)
      const { access_token: accessToken, account_id: remoteId } = understood(name, keys, answer.body)
      return { remoteId, tokens: { accessToken, refreshToken: null, expiresAt: null } }
    },

    async publish({ tokens, remoteId, content, imageUrl }: Submission): Promise<Outcome> {
      const headers = { ...bearer(tokens.accessToken), 'content-type': 'application/json' }
      const body = JSON.stringify({ message: content, image_url: imageUrl })
      try {
        const answer = await ask(`${root}/v1/${encodeURIComponent(remoteId)}/posts`, { method: 'POST', headers, body }, timeoutMs)
        if (answer.status !== 201) return outcomeOfRefusal(name, answer)
        const post = created.safeParse(answer.body)
        // It was taken, but not even its id is known: only the feed can tell.
        if (!post.success) return { kind: 'unknown', cause: `${name} took the post but its answer could not be read.` }
        return { kind: 'accepted', remoteId: post.data.id, url: post.data.permalink ?? null }
      } catch (error) {
        return outcomeOfFailure(name, error)
      }
    },

    async lookUp({ tokens, remoteId, content }: Submission, since: Instant): Promise<LookUp> {
      const candidates: Candidate[] = []
      try {
        let skip: number | null = 0
        for (let page = 0; skip !== null; page++) {
          if (page >= mostPages) return { kind: 'undecided', cause: `${name} has too many posts to look through.` }
          const query = new URLSearchParams({ since, skip: String(skip) })
          const url = `${root}/v1/${encodeURIComponent(remoteId)}/posts?${query}`
          const found: z.infer<typeof feedPage> = await read(url, tokens.accessToken, feedPage)
          for (const { id, message, permalink } of found.posts) {
            if (message === content) candidates.push({ remoteId: id, url: permalink ?? null })
          }
          skip = found.next_skip
        }
        return { kind: 'found', candidates }
      } catch (error) {
        if (error instanceof NetworkError) return { kind: 'undecided', cause: error.message }
        throw error
      }
    },

    async metrics({ tokens, remoteId, postId }) {
      const url = `${root}/v1/${encodeURIComponent(remoteId)}/posts/${encodeURIComponent(postId)}/figures`
      const { views, likes, comments, shares } = await read(url, tokens.accessToken, figures)
      return { views: views ?? null, likes: likes ?? null, comments: comments ?? null, shares: shares ?? null }
    },
  }
}

async function reach<T>(name: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw new NetworkError(`${name} can't be reached just now.`, { cause: error })
  }
}

function understood<T>(name: string, shape: z.ZodType<T>, body: unknown): T {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new NetworkError(`${name} gave an answer that could not be read.`)
  return parsed.data
}

function sentenceFor(name: string, status: number): string {
  if (status === 401 || status === 403) return `${name} no longer accepts this connection. Connect the account again.`
  if (status === 404) return `${name} does not have this post any more.`
  if (status === 429) return `${name} asks us to slow down.`
  return `${name} answered with an error (${status}).`
}
