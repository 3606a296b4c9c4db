/** The interface of every social network, real or sandbox. Facts about each are in its connector. */
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { Remedy, Totals } from '../../domain/post/commands.ts'

export interface Tokens {
  readonly accessToken: string
  /** Refreshes the access token; on Instagram it is the access token itself. Null: a user has to connect again. */
  readonly refreshToken: string | null
  /** When the access token expires; null: never. */
  readonly expiresAt: Instant | null
  /** When no refresh helps any more and a user has to connect again; null: unknown. */
  readonly endsAt: Instant | null
}

/** A profile or page that a consent gave access to, with its tokens. */
export interface Profile {
  /** The network's own id. */
  readonly remoteId: string
  /** The name shown to users who choose. */
  readonly name: string
  readonly tokens: Tokens
}

/** What is stored of the chosen profile. */
export type Connection = Pick<Profile, 'remoteId' | 'tokens'>

/** An image as stored when the post was approved. */
export interface Image {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string
  readonly type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
  /** In bytes. */
  readonly size: number
  readonly width: number
  readonly height: number
  /** The URL from which the network can fetch it. */
  readonly publicUrl: string
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>
}

export interface Submission {
  readonly tokens: Tokens
  /** The profile that posts. */
  readonly remoteId: string
  readonly content: string
  readonly image: Image | null
}

/** The post is provably not live. With a retry-after, the whole account waits: the network asked for it. */
export interface Rejection {
  readonly kind: 'rejected'
  /** One sentence for a user, without secrets. */
  readonly cause: string
  readonly remedy: Remedy
  readonly retryAfterSeconds: number | null
}

/** What was prepared on the network, invisible to followers: ids of media or containers; empty for a text. */
export interface Ready {
  readonly kind: 'ready'
  readonly media: readonly string[]
}

/**
 * accepted: it is live. rejected: it is provably not live.
 * unknown: it may be live (timeout or reset after sending, 5xx): look it up, never send it again.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly remoteId: string; readonly url: string | null }
  | Rejection
  | { readonly kind: 'unknown'; readonly cause: string }

export interface Candidate {
  readonly remoteId: string
  readonly url: string | null
}

/**
 * found: posts with the same text since the attempt began; none proves nothing, because feeds lag behind.
 * absent: the network itself states that the post is not live, as far as no request is still on its way.
 * undecided: the answer proves nothing.
 */
export type LookUp =
  | { readonly kind: 'found'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'undecided'
      readonly cause: string
      /** The post is provably live, though its id is unknown. */ readonly isLive?: boolean
    }

/** How many more posts the network accepts. */
export interface Quota {
  readonly used: number
  readonly total: number
  /** The length of the rolling window. */
  readonly hours: number
}

export interface ConsentRequest {
  readonly state: string
  readonly redirectUri: string
  /** The user's own name for the account: a hint that only the sandbox reads. */
  readonly accountName: string
  /** PKCE, S256; networks without it ignore it. */
  readonly codeChallenge: string
}

export interface Network {
  readonly platform: Platform
  readonly mode: 'sandbox' | 'live'
  /** The URL where the account's owner gives consent. */
  consentUrl(request: ConsentRequest): string
  /** Exchanges a consent's code for the profiles it covers, each with its tokens; never empty. @throws NetworkError */
  exchange(consent: {
    readonly code: string
    readonly redirectUri: string
    readonly codeVerifier: string
  }): Promise<readonly Profile[]>
  /** Refreshes tokens; the old ones may be revoked from then on. @throws ConnectionLost, NetworkError */
  renew(tokens: Tokens): Promise<Tokens>
  /** Checks whether the tokens still work. @throws ConnectionLost, NetworkError */
  check(connection: Connection): Promise<void>
  /** Revokes the tokens, if the network supports it. @throws NetworkError */
  disconnect(connection: Connection): Promise<void>
  /** Null if the network has no quota. @throws ConnectionLost, NetworkError */
  quota(connection: Connection): Promise<Quota | null>
  /**
   * Uploads media or creates containers: followers see nothing, so it is repeatable. Never throws for a network's
   * response.
   */
  prepare(submission: Submission): Promise<Ready | Rejection>
  /** One mutation, sent once. Never throws for a network's response. */
  publish(submission: Submission, media: readonly string[]): Promise<Outcome>
  /** Read-only; `media` is what the attempt had prepared. Never throws for a network's response. */
  lookUp(submission: Submission, media: readonly string[], since: Instant): Promise<LookUp>
  /** A published post's figures; null for each that the network doesn't offer. @throws ConnectionLost, NetworkError */
  metrics(post: Connection & { readonly postId: string }): Promise<Totals>
}

/** A network is unavailable or refuses. The message is one sentence for a user, without secrets. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError'
}

/** The tokens will never work again: a user has to connect the account again. */
export class ConnectionLost extends NetworkError {
  override readonly name = 'ConnectionLost'
}

export type Networks = Readonly<Record<Platform, Network>>
