/** Completes a sign-in, and tells the owner by mail of a browser that is new. */
import type { Logger } from 'pino'
import type { PostOffice } from '../mail/post-office.ts'
import type { Clock } from '../../core/clock.ts'
import type { Memberships } from '../../http/memberships.ts'
import type { AccountLimits } from './account-limits.ts'
import { browserNameOf } from './browser-name.ts'
import type { Devices } from './devices.ts'
import { newDeviceMail } from './mails.ts'
import { teller } from './own-account.ts'
import type { Sessions } from './sessions.ts'
import { signIn, type From, type SignedIn } from './sign-in.ts'
import type { UserRecord, Users } from './users.ts'

export interface CompletePorts {
  readonly users: Users
  readonly sessions: Sessions
  readonly devices: Devices
  readonly accountLimits: AccountLimits
  readonly memberships: Pick<Memberships, 'member'>
  readonly postOffice: PostOffice
  readonly publicUrl: string
  readonly clock: Clock
  readonly log: Logger
}

interface Wish extends From {
  /** The agency of the page over which the user signs in again. Ignored unless the user is a member of it. */
  readonly wish?: string | undefined
}

export const completer = (ports: CompletePorts) => {
  const { devices, accountLimits, memberships, publicUrl, clock } = ports
  const tell = teller(ports)
  return async (user: UserRecord, { wish, ...from }: Wish, outdated?: () => Error): Promise<SignedIn> => {
    const isNew = !devices.isKnown(from.device, user)
    const at = clock.now()
    const isMember = wish !== undefined && (await memberships.member(wish, user.id)) !== null
    const signedIn = await signIn(ports, user, isMember ? { ...from, agencyId: wish } : from, outdated)
    if (isNew && (await accountLimits.mayWriteTo(user.email, 'device')))
      await tell(user, 'new-device', newDeviceMail(user.email, publicUrl, browserNameOf(from.userAgent), at))
    return signedIn
  }
}
