/** Starts a session after the password was checked or set. */
import { Problem } from '../../http/problem.ts'
import { browserNameOf } from './browser-name.ts'
import type { SignInWay } from '../../contract/sessions.ts'
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
}

export interface SignedIn {
  readonly cookie: string
  readonly device: string
}

/** Returns the cookies' values. @param outdated the error when the password has changed since @throws Problem */
export async function signIn(
  { users, sessions, devices }: Ports,
  user: UserRecord,
  { device, userAgent, way = 'password' }: From,
  outdated: () => Error = wrongCredentials,
): Promise<SignedIn> {
  // A session is invalid without the current password, so a later change ends it anyway. Here the caller gets an error.
  if (!(await users.isStill(user))) throw outdated()
  const { cookie } = await sessions.start(user, browserNameOf(userAgent), way)
  return { cookie, device: devices.remember(device, user) }
}
