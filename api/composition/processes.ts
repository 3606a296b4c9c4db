/** Starts and stops the long-running background processes together. */
import type { Logger } from 'pino'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { Views } from '../../projections/registry.ts'
import type { CleanupStack } from '../runtime/cleanup-stack.ts'
import type { Budgets } from '../features/usage/budgets.ts'
import type { Checkpoints } from '../features/audit/checkpoints.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../runtime/config.ts'
import type { WaitFor } from '../core/read-your-writes.ts'
import type { Commands } from '../core/commands.ts'
import type { Networks } from '../networks/port.ts'
import type { Connections } from '../networks/connections.ts'
import type { Vault } from '../networks/vault.ts'
import type { Images } from '../features/media/images.ts'
import type { ContactBook } from '../features/contacts/contacts.ts'
import type { ReviewRecords } from '../features/review/records.ts'
import { createApprovalReminders } from '../processes/approval-reminders/approval-reminders.ts'
import { createCollector } from '../processes/collector/collector.ts'
import { createClientCleanup } from '../processes/client-cleanup/client-cleanup.ts'
import { createTokenRefresher } from '../processes/token-refresher/token-refresher.ts'
import { createPlanner } from '../processes/planner/planner.ts'
import { createLetterSender } from '../processes/letter-sender/letter-sender.ts'
import type { Composers } from '../features/mail/letter-record.ts'
import type { Letters } from '../features/mail/letters.ts'
import type { Mail } from '../features/mail/port.ts'
import { createLogCheckpointer } from '../processes/log-checkpointer/log-checkpointer.ts'
import { createPublisher } from '../processes/publisher/publisher.ts'
import { createTrialClock } from '../processes/trial-clock/trial-clock.ts'
import { LeasedWork, wholeWork, type WorkShares } from '../processes/work-shares.ts'
import type { Records } from '../records/port.ts'
import type { Writer } from '../features/writer/port.ts'

export interface ProcessPorts {
  readonly config: Config
  readonly events: EventStore
  readonly commands: Commands
  readonly views: Views
  /** For the views. */
  readonly waitFor: WaitFor
  readonly records: Records
  readonly networks: Networks
  readonly vault: Vault
  readonly connections: Connections
  readonly images: Images
  readonly budgets: Budgets
  readonly writer: Writer
  readonly letters: Letters
  readonly clientContacts: ContactBook
  readonly reviewRecords: ReviewRecords
  /** Whether a user has a confirmed address. */
  readonly isReachable: (userId: string) => Promise<boolean>
  /** Null: letters are kept for an operator. */
  readonly mail: Mail | null
  readonly composers: Composers
  readonly checkpoints: Checkpoints
  readonly clock: Clock
  readonly log: Logger
  /**
   * True if no other process does this work: nothing is shared out then, and claims still open at the start are left
   * over from an earlier run.
   */
  readonly alone: boolean
}

/** Stopping starts nothing new and waits for running work, up to a time limit. */
export async function startProcesses({ config, alone, ...ports }: ProcessPorts, cleanup: CleanupStack): Promise<void> {
  const pollMs = config.PUBLISH_POLL_MS
  // Its cleanup comes last: work is handed over once it has stopped.
  const shares = alone ? wholeWork : await shareOut(ports, cleanup)
  const ages = config.COLLECT_AFTER_SECONDS?.map((seconds) => seconds * 1000)
  const publisher = createPublisher({ ...ports, config: { pollMs, ownsAllClaims: alone } })
  const collector = createCollector({ ...ports, shares, config: { pollMs: 4 * pollMs, ...(ages ? { ages } : {}) } })
  const tokenRefresher = createTokenRefresher({ ...ports, shares, config: { pollMs: 40 * pollMs } })
  const clientCleanup = createClientCleanup(ports)
  const trialClock = createTrialClock({ ...ports, config: { pollMs: 40 * pollMs } })
  const approvalReminders = createApprovalReminders({ ...ports, shares, config: { pollMs: 40 * pollMs } })
  const planner = await createPlanner({ ...ports, config: { pollMs: 40 * pollMs, alone } })
  const logCheckpointer = createLogCheckpointer({ ...ports, shares })
  const letterSender = createLetterSender({ ...ports, shares })
  // Registered before the first one starts: if a later one fails to start, none is stopped in the middle of a post.
  cleanup.add(() =>
    Promise.all(
      [
        publisher,
        collector,
        tokenRefresher,
        clientCleanup,
        trialClock,
        approvalReminders,
        planner,
        logCheckpointer,
        letterSender,
      ].map((each) => each.stop()),
    ),
  )
  publisher.start()
  collector.start()
  tokenRefresher.start()
  trialClock.start()
  approvalReminders.start()
  logCheckpointer.start()
  letterSender.start()
  await clientCleanup.start()
  await planner.start()
}

async function shareOut(
  { records, log }: Pick<ProcessPorts, 'records' | 'log'>,
  cleanup: CleanupStack,
): Promise<WorkShares> {
  const leased = await LeasedWork.open(records)
  cleanup.add(() => leased.stop(log))
  await leased.start(log)
  return leased
}
