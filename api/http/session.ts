/** The part of a session that binding a route needs. */

export interface Session {
  readonly id: string
  readonly userId: string
}

export interface SessionFinder {
  /** The session of a cookie; null when it is forged, ended or expired. */
  find(cookie: string): Promise<Session | null>
}
