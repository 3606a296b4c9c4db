/** Runs the background processes on the shared parts. */
import { accountComposers } from '../features/auth/account-letters.ts'
import { MailedLinks } from '../features/auth/mailed-links.ts'
import { isConfirmed, Users } from '../features/auth/users.ts'
import type { CleanupStack } from '../runtime/cleanup-stack.ts'
import { openMail } from '../features/mail/mail.ts'
import { releaseComposers } from '../features/review/release-letters.ts'
import { reminderComposers } from '../features/review/reminder-letters.ts'
import { verdictComposers } from '../features/review/verdict-letters.ts'
import { Connections } from '../networks/connections.ts'
import { startProcesses } from './processes.ts'
import type { Core, Options } from './assemble.ts'

interface Working extends Pick<Options, 'hashing'> {
  /** Whether no other process does this work. */
  readonly alone: boolean
  /** The folder for mail without an SMTP server; without one, letters stay in the records. */
  readonly outbox?: string
}

/** Runs the background processes. */
export async function work(core: Core, { alone, outbox, hashing }: Working, cleanup: CleanupStack): Promise<void> {
  const { stores, readModels, metrics, commands, networks, vault, clock } = core
  const { events, records } = stores
  const connections = await Connections.open({ commands, networks, vault, records, clock })
  const { views, waitFor } = readModels
  const users = await Users.open(records, clock, hashing)
  const composers = {
    ...accountComposers(users, await MailedLinks.open(records, clock)),
    ...releaseComposers(core),
    ...verdictComposers({ ...core, users, views: () => readModels.views }),
    ...reminderComposers({ ...core, users, views: () => readModels.views, publicUrl: core.listening.publicUrl }),
  }
  const isReachable = async (userId: string) => {
    const user = await users.get(userId)
    return user !== null && isConfirmed(user)
  }
  const mail = await openMail(core.config, outbox ?? null)
  const own = { mail, composers, isReachable, alone }
  await startProcesses({ ...core, events, views, waitFor, records, connections, ...own }, cleanup)
  const waiting = { waiting: true } as const
  metrics.queue(
    () => readModels.views.duePosts.count(waiting),
    () => readModels.views.duePosts.count({ ...waiting, dueAt: { lt: clock.now() } }),
  )
}
