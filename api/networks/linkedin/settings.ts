/** LinkedIn: addresses, version, scopes and waits in one table. Facts: learn.microsoft.com/linkedin, versioned REST. */
import type { Setup } from '../network-client.ts'

export interface LinkedInSettings extends Setup {
  readonly clientId: string
  readonly clientSecret: string
  /** Where people allow it. */
  readonly authorizeUrl: string
  /** Where keys are given out. */
  readonly wwwUrl: string
  readonly apiUrl: string
  /** YYYYMM; a version lives about a year. */
  readonly version: string
  /** Separated by blanks. */
  readonly scope: string
  /** A member's URN, from the id that LinkedIn calls them by when they allow it. */
  readonly memberUrn: (id: string) => string
  /** Where people see a post. */
  readonly permalink: (post: { readonly remoteId: string; readonly postId: string }) => string
  readonly poll: Poll
}

/** How an uploaded image is waited for: at most so many looks, so far apart (milliseconds). */
export interface Poll {
  readonly looks: number
  readonly pauseMs: number
}

export const linkedinDefaults = {
  authorizeUrl: 'https://www.linkedin.com',
  wwwUrl: 'https://www.linkedin.com',
  apiUrl: 'https://api.linkedin.com',
  version: '202607',
  /** OpenID Connect and Share on LinkedIn: what every app may have. Community Management needs an approval: `LINKEDIN_SCOPE`. */
  scope: 'openid profile email w_member_social',
  memberUrn: (id: string) => `urn:li:person:${id}`,
  permalink: ({ postId }: { readonly postId: string }) => `https://www.linkedin.com/feed/update/${postId}`,
  poll: { looks: 15, pauseMs: 1_000 },
} as const

/** With organisations, reading back and figures: Community Management, which LinkedIn approves app by app. */
export const communityScope =
  'r_basicprofile w_member_social r_member_social w_organization_social r_organization_social rw_organization_admin r_member_postAnalytics'

/** Posts of one page of a profile's posts. */
export const postsPage = 50
/** Organisations of one page, and how many pages at most. */
export const organisationsPage = 100
export const maxOrganisationPages = 5
/** Seconds: LinkedIn's quotas begin anew at midnight UTC, and may be raised before; a retired version needs its operator. */
export const linkedinWaits = { maxRate: 3_600, version: 3_600, image: 60 } as const
