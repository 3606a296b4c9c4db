/** What is stored of a session. */
import type { Instant } from '../../../domain/core/event.ts'
import type { SignInWay } from '../../contract/sessions.ts'

export interface SessionRecord {
  /** The session id, 128 bits. */
  readonly id: string
  /** A copy of `sess.userId`, for the index. */
  readonly userId: string
  readonly sess: {
    readonly userId: string
    readonly createdAt: string
    /** The agency that the session works in; absent in older records, and until one is chosen. */
    readonly agencyId?: string
  }
  /** The user's count at the start: a password change invalidates the session. */
  readonly passwordChanges?: number
  /** The end of the idle time after the last use, at most `lifetimeMs` after the start. */
  readonly expire: string
  /** The browser's name for its user. Absent in older records, as is `usedAt`. */
  readonly browser?: string
  /** The last use, in steps of `refreshStepMs`. */
  readonly usedAt?: Instant
  /** How the user signed in. Absent in older records. */
  readonly way?: SignInWay
  readonly confirmedAt?: Instant
}
