/** LinkedIn: URLs, version, scopes and waits in one table. Facts: learn.microsoft.com/linkedin, versioned REST. */
import type { Setup } from '../network-client.ts'

export interface LinkedInSettings extends Setup {
  readonly clientId: string
  readonly clientSecret: string
  /** Where users give consent. */
  readonly authorizeUrl: string
  /** Where tokens are issued. */
  readonly wwwUrl: string
  readonly apiUrl: string
  /** YYYYMM; a version lives about a year. */
  readonly version: string
  /** Separated by spaces. */
  readonly scope: string
  /** A member's URN, from the OpenID Connect `sub` of the consent. */
  readonly memberUrn: (id: string) => string
  /** A post's public URL. */
  readonly permalink: (post: { readonly remoteId: string; readonly postId: string }) => string
  readonly poll: Poll
}

/** How an uploaded image is polled: at most this often, at this interval (milliseconds). */
export interface Poll {
  readonly looks: number
  readonly pauseMs: number
}

export const linkedinDefaults = {
  authorizeUrl: 'https://www.linkedin.com',
  wwwUrl: 'https://www.linkedin.com',
  apiUrl: 'https://api.linkedin.com',
  version: '202607',
  /**
   * OpenID Connect and Share on LinkedIn: open to every app. Community Management needs an approval: `LINKEDIN_SCOPE`.
   */
  scope: 'openid profile email w_member_social',
  memberUrn: (id: string) => `urn:li:person:${id}`,
  permalink: ({ postId }: { readonly postId: string }) => `https://www.linkedin.com/feed/update/${postId}`,
  poll: { looks: 15, pauseMs: 1_000 },
} as const

/** With organizations, look-ups and figures: Community Management, which LinkedIn approves per app. */
export const communityScope =
  'r_basicprofile w_member_social r_member_social w_organization_social r_organization_social rw_organization_admin r_member_postAnalytics'

/** Posts per page of a profile's posts. */
export const postsPage = 50
/** Organizations per page, and the maximum number of pages. */
export const organisationsPage = 100
export const maxOrganisationPages = 5
/**
 * In seconds. LinkedIn's quotas reset at midnight UTC, and may be raised before; a retired version needs the operator.
 */
export const linkedinWaits = { maxRate: 3_600, version: 3_600, image: 60 } as const
