/** X: URLs, scopes, sizes and waits in one table. Facts: X API v2 documentation, docs.x.com. */
import type { Setup } from '../network-client.ts'

export interface XSettings extends Setup {
  readonly clientId: string
  readonly clientSecret: string
  /** Where users give consent. */
  readonly authorizeUrl: string
  readonly apiUrl: string
  readonly scopes: readonly string[]
  /** A post's public URL. */
  readonly permalink: (post: { readonly remoteId: string; readonly postId: string }) => string
  readonly poll: Poll
}

/** How an uploaded image is polled: at most this often, at this interval unless X gives one (milliseconds). */
export interface Poll {
  readonly looks: number
  readonly pauseMs: number
  readonly longestPauseMs: number
}

export const xDefaults = {
  authorizeUrl: 'https://x.com',
  apiUrl: 'https://api.x.com',
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
  // Needs no user name, which may change.
  permalink: ({ postId }: { readonly postId: string }) => `https://x.com/i/web/status/${postId}`,
  poll: { looks: 10, pauseMs: 1_000, longestPauseMs: 5_000 },
} as const

/** Bytes per part of an upload. */
export const segmentBytes = 1024 * 1024
/** Posts per page of a timeline: X's maximum. */
export const timelinePage = 100
/** Seconds to wait when X gives none: its usual window; and until a user has bought credits. */
export const xWaits = { rate: 900, credits: 3_600 } as const
/** docs.x.com/x-api/fundamentals/rate-limits: the windows that a response may report. */
export const rateWindows = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour'] as const
export const longestWait = 24 * 3_600
