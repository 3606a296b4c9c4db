/** Starts a session after the password was checked or set. */
import { Problem } from '../../http/problem.ts'
import { browserNameOf } from './browser-name.ts'
import type { SignInWay } from '../../contract/sessions.ts'
import type { Session } from '../../http/session.ts'
import type { Devices } from './devices.ts'
import type { Sessions } from './sessions.ts'
import type { UserRecord, Users } from './users.ts'

export const wrongCredentials = () =>
  new Problem(401, 'wrong-credentials', 'Wrong email or password. Please try again.')

interface Ports {
  readonly users: Users
  readonly sessions: Sessions
  readonly devices: Devices
}

/** The browser that signs in. */
export interface From {
  /** Its device cookie. */
  readonly device: string | null
  readonly userAgent: string
  /** Default: a password. */
  readonly way?: SignInWay
  /** Its session until now. */
  readonly session?: Session | null
  /** An agency of the user. Default: the one of the user's session until now. */
  readonly agencyId?: string | null
}

export interface SignedIn {
  readonly cookie: string
  readonly device: string
}

/** Returns the cookies' values. @param outdated the error when the password has changed since @throws Problem */
export async function signIn(
  { users, sessions, devices }: Ports,
  user: UserRecord,
  { device, userAgent, way = 'password', session, agencyId }: From,
  outdated: () => Error = wrongCredentials,
): Promise<SignedIn> {
  // A session is invalid without the current password, so a later change ends it anyway. Here the caller gets an error.
  if (!(await users.isStill(user))) throw outdated()
  // An open page goes on with the new session and may write: it must do so in the agency that it shows.
  const worksIn = agencyId ?? (session?.userId === user.id ? session.agencyId : null)
  const { cookie } = await sessions.start(user, browserNameOf(userAgent), way, worksIn)
  return { cookie, device: devices.remember(device, user) }
}
