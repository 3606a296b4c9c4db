/** What every social network can be asked, real or sandbox. Facts about each live with its connector. */
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { Totals } from '../../domain/post/commands.ts'

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Null: doesn't expire by itself. */
  readonly expiresAt: Instant | null
}

/** What a consent gives: the profile that was connected, and the keys to it. */
export interface Connection {
  /** The network's own id of the profile or page. */
  readonly remoteId: string
  readonly tokens: Tokens
}

export interface Submission {
  readonly tokens: Tokens
  /** The profile to post as. */
  readonly remoteId: string
  readonly content: string
  readonly imageUrl: string | null
}

/**
 * accepted: it is live. rejected: it is provably not live; `final` when trying again can't help.
 * unknown: it may be live (time-out or reset after sending, 5xx): look it up, never send it again.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly remoteId: string; readonly url: string | null }
  | { readonly kind: 'rejected'; readonly cause: string; readonly final: boolean; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'unknown'; readonly cause: string }

export interface Candidate {
  readonly remoteId: string
  readonly url: string | null
}

/** Posts with the same text since the attempt began; `undecided` when the network can't tell. */
export type LookUp = { readonly kind: 'found'; readonly candidates: readonly Candidate[] } | { readonly kind: 'undecided'; readonly cause: string }

export interface Network {
  readonly platform: Platform
  readonly mode: 'sandbox' | 'live'
  /** Where the browser goes to ask the account's owner. */
  consentUrl(request: { readonly state: string; readonly redirectUri: string; readonly accountName: string }): string
  /** Trades the code of a consent for keys. @throws NetworkError */
  exchange(consent: { readonly code: string; readonly redirectUri: string }): Promise<Connection>
  /** One mutation, sent once. Never throws for what the network may answer. */
  publish(submission: Submission): Promise<Outcome>
  /** Read-only. Never throws for what the network may answer. */
  lookUp(submission: Submission, since: Instant): Promise<LookUp>
  /** A published post's figures; null for those that the network doesn't offer. @throws NetworkError */
  metrics(post: { readonly tokens: Tokens; readonly remoteId: string; readonly postId: string }): Promise<Totals>
}

/** A network that can't be reached or refuses. The message is one sentence, fit for a person, without secrets. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

export type Networks = Readonly<Record<Platform, Network>>
