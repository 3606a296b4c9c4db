/** Removes the second factors of a person who lost them. The password stays, and is needed to sign in. */
import type { Message } from '../mail/port.ts'
import type { Factors } from './factors.ts'
import { factorsResetMail } from './mails.ts'
import type { SecurityLog } from './security-log.ts'
import type { Users } from './users.ts'

export interface ResetPorts {
  readonly users: Pick<Users, 'get'>
  readonly factors: Pick<Factors, 'removeAll'>
  readonly securityLog: Pick<SecurityLog, 'done'>
  readonly tell: (message: Message) => void | Promise<void>
  readonly publicUrl: string
}

/**
 * Returns false when there was nothing to remove.
 * @param by who did it, for the log: a user's id or `operator`
 * @param agencyName of the admin; null for the operator
 */
export async function resetFactors(
  { users, factors, securityLog, tell, publicUrl }: ResetPorts,
  userId: string,
  by: string,
  agencyName: string | null = null,
): Promise<boolean> {
  const user = await users.get(userId)
  if (!(await factors.removeAll(userId))) return false
  securityLog.done('reset-factors', by, { userId })
  if (user) await tell(factorsResetMail(user.email, publicUrl, agencyName))
  return true
}
