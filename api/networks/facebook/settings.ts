/** Facebook Pages: URLs, version, scopes and codes in one table. Facts: Graph API documentation, v25.0. */
import type { Setup } from '../network-client.ts'

export interface FacebookSettings extends Setup {
  readonly clientId: string
  readonly clientSecret: string
  readonly dialogUrl: string
  readonly graphUrl: string
  readonly version: string
  readonly scopes: readonly string[]
}

export const facebookDefaults = {
  dialogUrl: 'https://www.facebook.com',
  graphUrl: 'https://graph.facebook.com',
  version: 'v25.0',
  scopes: ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement', 'business_management', 'read_insights'],
} as const

/** developers.facebook.com/docs/graph-api/guides/error-handling and .../overview/rate-limiting */
export const graphCodes = {
  /** The token is dead: expired, password changed, app removed, admin role lost. 102 is the older code. */
  dead: [190, 102],
  permission: [3, 10],
  permissionRange: [200, 299],
  rate: [4, 17, 32, 341, 613],
  rateRange: [80_000, 80_014],
  /** Publishing too often. */
  tooFast: [1_390_008],
  /** Temporarily blocked for a violation of Facebook's rules. */
  blocked: [368],
  duplicate: [506],
  /** Over 4 MB or in an unsupported format. */
  photo: [1_366_046],
  /** "Unknown error" and "service temporarily unavailable". */
  ownFault: [1, 2],
  /** An unknown metric or field, or (with the subcode) a missing object. */
  invalid: [100],
  notThereSubcode: 33,
} as const

/** Seconds to wait when Facebook gives none. */
export const facebookWaits = { rate: 300, blocked: 3_600 } as const

/** Entries per page of a list: Graph's maximum. */
export const pageSize = 100
export const maxListPages = 20
