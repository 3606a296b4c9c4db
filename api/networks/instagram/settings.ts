/**
 * Instagram with Instagram Login: URLs, version, scopes and codes in one table. Facts: Instagram Platform
 * documentation.
 */
import type { Setup } from '../network-client.ts'

export interface InstagramSettings extends Setup {
  readonly clientId: string
  readonly clientSecret: string
  /** Where users log in. */
  readonly wwwUrl: string
  /** Where a code is exchanged for a token. */
  readonly apiUrl: string
  /** All other calls. */
  readonly graphUrl: string
  readonly version: string
  readonly scopes: readonly string[]
  readonly poll: Poll
}

/** How a container is polled: growing pauses up to a total limit, in milliseconds. */
export interface Poll {
  readonly firstMs: number
  readonly growth: number
  readonly limitMs: number
}

export const instagramDefaults = {
  wwwUrl: 'https://www.instagram.com',
  apiUrl: 'https://api.instagram.com',
  graphUrl: 'https://graph.instagram.com',
  version: 'v25.0',
  scopes: ['instagram_business_basic', 'instagram_business_content_publish', 'instagram_business_manage_insights'],
  poll: { firstMs: 1_000, growth: 1.5, limitMs: 30_000 },
} as const

/**
 * developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes; the general ones are
 * Graph's.
 */
export const instagramCodes = {
  /** The daily quota of posts is used up (code 9). */
  quota: [2_207_042],
  /** The image's URL can't be fetched, or isn't an image (code 9004). */
  fetch: [2_207_052],
  fetchCodes: [9_004],
  /** Outside 4:5 to 1.91:1 (code 36003). */
  ratio: [2_207_009],
  /** Over 8 MB (code 36000). */
  tooLarge: [2_207_004],
  /** Suspected spam (code 4); the account is restricted (code 25). */
  restricted: [2_207_051, 2_207_050],
  /** The container has expired or never existed (code 24, -2): a new one helps. */
  container: [2_207_006, 2_207_008, 2_207_020],
  /**
   * Instagram's own failure, with any status: an internal error, or fetching took too long. And a container that is
   * not available (code 9007): not ready, or published already, as its status shows.
   */
  ownFault: [2_207_001, 2_207_003, 2_207_027, 2_207_032, 2_207_053],
  ownFaultCodes: [-1, -2],
} as const

/** Seconds to wait when Instagram gives none. */
export const instagramWaits = { quota: 3_600, container: 60, processing: 60 } as const

/** Entries per page of the media list. */
export const mediaPageSize = 50
