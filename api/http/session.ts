/** The part of a session that binding a route needs. */

export interface Session {
  readonly id: string
  readonly userId: string
  /** The agency that the user chose to work in; null: see `Memberships`. */
  readonly agencyId: string | null
  /** When the user last signed in at the provider of single sign-on in place of entering a password. */
  readonly confirmedAt?: string
}

export interface SessionFinder {
  /** The session of a cookie; null when it is forged, ended or expired. */
  find(cookie: string): Promise<Session | null>
  /** Moves a session to another agency; null: to none by name. */
  choose(sessionId: string, agencyId: string | null): Promise<void>
}
