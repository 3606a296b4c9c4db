/** The session of somebody whose password was just checked or set. */
import { Problem } from '../../http/problem.ts'
import type { Devices } from './devices.ts'
import type { Sessions } from './sessions.ts'
import type { UserRecord, Users } from './users.ts'

export const wrongCredentials = () =>
  new Problem(401, 'wrong-credentials', 'Wrong e-mail or password. Please try again.')

interface Ports {
  readonly users: Users
  readonly sessions: Sessions
  readonly devices: Devices
}

interface SignedIn {
  readonly cookie: string
  readonly device: string
}

/** Answers the cookies' values. @param outdated what is told when the password has changed since it was checked or set @throws Problem */
export async function signIn(
  { users, sessions, devices }: Ports,
  user: UserRecord,
  device: string | null,
  outdated = wrongCredentials,
): Promise<SignedIn> {
  // A session of another password is none, so one that comes right after this ends it too; here it is told.
  if (!(await users.isStill(user))) throw outdated()
  const { cookie } = await sessions.start(user)
  return { cookie, device: devices.remember(device, user) }
}
