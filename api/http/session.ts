/** Who is signed in, as far as binding a route needs to know. */

export interface Session {
  readonly id: string
  readonly userId: string
}

export interface SessionFinder {
  /** The session behind a cookie; null when it is forged, ended or expired. */
  find(cookie: string): Promise<Session | null>
}
