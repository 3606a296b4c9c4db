/** What every social network can be asked, real or sandbox. Facts about each live with its connector. */
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { Remedy, Totals } from '../../domain/post/commands.ts'

export interface Tokens {
  readonly accessToken: string
  /** What renews the access token: on Instagram the access token itself. Null: only a person can, by connecting again. */
  readonly refreshToken: string | null
  /** When the access token ends; null: not by itself. */
  readonly expiresAt: Instant | null
  /** When no renewal helps any more and a person has to connect again; null: not foreseeable. */
  readonly endsAt: Instant | null
}

/** A profile or page that a consent gave access to, with the keys to it. */
export interface Profile {
  /** The network's own id. */
  readonly remoteId: string
  /** As people know it, to choose by. */
  readonly name: string
  readonly tokens: Tokens
}

/** What is kept of the profile that was chosen. */
export type Connection = Pick<Profile, 'remoteId' | 'tokens'>

/** An image as it was stored when the post was approved. */
export interface Image {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string
  readonly type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
  /** Bytes. */
  readonly size: number
  readonly width: number
  readonly height: number
  /** Where the network can fetch it. */
  readonly publicUrl: string
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>
}

export interface Submission {
  readonly tokens: Tokens
  /** The profile to post as. */
  readonly remoteId: string
  readonly content: string
  readonly image: Image | null
}

/** It is provably not live. With a time to wait, the whole account waits: the network asked for it. */
export interface Rejection {
  readonly kind: 'rejected'
  /** One sentence, fit for a person, without secrets. */
  readonly cause: string
  readonly remedy: Remedy
  readonly retryAfterSeconds: number | null
}

/** What was made ready on the network, invisible to followers: ids of media or containers; none for a bare text. */
export interface Ready {
  readonly kind: 'ready'
  readonly media: readonly string[]
}

/**
 * accepted: it is live. rejected: it is provably not live.
 * unknown: it may be live (time-out or reset after sending, 5xx): look it up, never send it again.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly remoteId: string; readonly url: string | null }
  | Rejection
  | { readonly kind: 'unknown'; readonly cause: string }

export interface Candidate {
  readonly remoteId: string
  readonly url: string | null
}

/** Posts with the same text since the attempt began; `undecided` when the network can't tell. */
export type LookUp =
  | { readonly kind: 'found'; readonly candidates: readonly Candidate[] }
  | {
      readonly kind: 'undecided'
      readonly cause: string
      /** Proven to be out, though the network doesn't say under which id. */ readonly isLive?: boolean
    }

/** How many posts the network still takes. */
export interface Quota {
  readonly used: number
  readonly total: number
  /** The length of the rolling window. */
  readonly hours: number
}

export interface ConsentRequest {
  readonly state: string
  readonly redirectUri: string
  /** Our user's own name for the account: a hint that only the sandbox reads. */
  readonly accountName: string
  /** PKCE, S256; networks without it ignore it. */
  readonly codeChallenge: string
}

export interface Network {
  readonly platform: Platform
  readonly mode: 'sandbox' | 'live'
  /** Where the browser goes to ask the account's owner. */
  consentUrl(request: ConsentRequest): string
  /** Trades the code of a consent for the profiles it covers, each with its keys; never none. @throws NetworkError */
  exchange(consent: {
    readonly code: string
    readonly redirectUri: string
    readonly codeVerifier: string
  }): Promise<readonly Profile[]>
  /** New keys for old; the old ones may be worthless from then on. @throws ConnectionLost, NetworkError */
  renew(tokens: Tokens): Promise<Tokens>
  /** Asks whether the keys still work. @throws ConnectionLost, NetworkError */
  check(connection: Connection): Promise<void>
  /** Gives the keys back, where the network offers it. @throws NetworkError */
  disconnect(connection: Connection): Promise<void>
  /** Null where the network has no such count. @throws ConnectionLost, NetworkError */
  quota(connection: Connection): Promise<Quota | null>
  /** Uploads media or makes containers: nothing that followers see, so free to repeat. Never throws for what the network may answer. */
  prepare(submission: Submission): Promise<Ready | Rejection>
  /** One mutation, sent once. Never throws for what the network may answer. */
  publish(submission: Submission, media: readonly string[]): Promise<Outcome>
  /** Read-only; `media` is what the attempt had prepared. Never throws for what the network may answer. */
  lookUp(submission: Submission, media: readonly string[], since: Instant): Promise<LookUp>
  /** A published post's figures; null for those that the network doesn't offer. @throws ConnectionLost, NetworkError */
  metrics(post: Connection & { readonly postId: string }): Promise<Totals>
}

/** A network that can't be reached or refuses. The message is one sentence, fit for a person, without secrets. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError'
}

/** The keys don't work any more and never will again: a person has to connect the account again. */
export class ConnectionLost extends NetworkError {
  override readonly name = 'ConnectionLost'
}

export type Networks = Readonly<Record<Platform, Network>>
