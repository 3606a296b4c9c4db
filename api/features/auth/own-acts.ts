/** The two kinds of acts on the own factors and links: one that needs the password, and one that completes a set-up. */
import type { Clock } from '../../core/clock.ts'
import type { Session } from '../../http/session.ts'
import { ownerCheck, refuseUnconfirmed, type AccountPorts } from './own-account.ts'
import type { AccountAct } from './security-log.ts'
import type { UserRecord } from './users.ts'

type Ports = Pick<AccountPorts, 'users' | 'accountLimits' | 'securityLog'> & { readonly clock: Clock }

interface Asked {
  readonly session: Session
  readonly address: string
  readonly requestId: string
}

interface Proving extends Asked {
  readonly body: { readonly password?: string | undefined }
}

export function ownActs(ports: Ports) {
  const { users, accountLimits, securityLog } = ports
  const own = ownerCheck(ports)
  return {
    /** Checks the password, then acts. */
    proven: <T>(act: AccountAct, ask: Proving, run: (user: UserRecord) => Promise<T>): Promise<T> =>
      securityLog.watch(act, ask, async (subject) => {
        subject.userId = ask.session.userId
        return run(await own(ask.session, ask.body.password, ask.address))
      }),

    /** Limits the tries, then acts for a user whose address is confirmed. */
    completing: <T>(act: AccountAct, ask: Asked, run: (user: UserRecord) => Promise<T>): Promise<T> =>
      securityLog.watch(act, ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        await accountLimits.settingUp(userId)
        const user = await users.get(userId)
        refuseUnconfirmed(user)
        return run(user)
      }),
  }
}
