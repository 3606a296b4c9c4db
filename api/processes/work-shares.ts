/**
 * Shares out work between worker processes: the social accounts in parts of about the same size, the log's
 * checkpoints, the letters and the reminders. Each part is worked on by the holder of its lease.
 */
import type { Logger } from 'pino'
import { startLoop, type Loop } from '../core/loop.ts'
import { Leases } from '../records/leases.ts'
import type { Records } from '../records/port.ts'

/** Parts of the accounts: at most this many workers divide them. */
const partCount = 32
const partAt = (index: number) => `accounts-${index}`
export const accountParts: readonly string[] = Array.from({ length: partCount }, (_, index) => partAt(index))
export const checkpointsPart = 'log-checkpoints'

export const lettersPart = 'letters'
export const remindersPart = 'reminder-letters'

/** All parts of the work. */
export const workParts: readonly string[] = [checkpointsPart, lettersPart, remindersPart, ...accountParts]

/** The part that an account belongs to, for ever. */
export function partOfAccount(accountId: string): string {
  // FNV-1a: ids of one moment have their first half in common.
  let hash = 0x811c9dc5
  for (let at = 0; at < accountId.length; at++) hash = Math.imul(hash ^ accountId.charCodeAt(at), 0x01000193)
  return partAt((hash >>> 0) % partCount)
}

export interface WorkShares {
  /** Whether this process does the work of a part at this moment. */
  leads(part: string): boolean
  /** Does a job of a part that this process leads: the part isn't handed over before the job has ended. */
  during<T>(part: string, job: () => Promise<T>): Promise<T>
}

/** For a process without others. */
export const wholeWork: WorkShares = { leads: () => true, during: (_, job) => job() }

export interface LeasedWorkOptions {
  readonly lifeMs?: number
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

/** A part without a living leader rests this long: no work of these parts is urgent. */
const defaultLifeMs = 20_000

export class LeasedWork implements WorkShares {
  readonly #jobs = new Map<string, number>()
  #loop: Loop | null = null

  private constructor(
    private readonly leases: Leases,
    private readonly lifeMs: number,
  ) {}

  static async open(
    records: Records,
    { lifeMs = defaultLifeMs, ...options }: LeasedWorkOptions = {},
  ): Promise<LeasedWork> {
    return new LeasedWork(await Leases.open(records, workParts, { lifeMs, ...options, group: 'workers' }), lifeMs)
  }

  leads(part: string): boolean {
    // A process that was paused, or can't reach the records, may have lost its leases without knowing it.
    return this.leases.leads(part)
  }

  async during<T>(part: string, job: () => Promise<T>): Promise<T> {
    this.#jobs.set(part, (this.#jobs.get(part) ?? 0) + 1)
    try {
      return await job()
    } finally {
      const left = (this.#jobs.get(part) ?? 1) - 1
      if (left > 0) this.#jobs.set(part, left)
      else this.#jobs.delete(part)
    }
  }

  /** Renews the leases. A part beyond this process's share is handed over once its jobs have ended. */
  async round(): Promise<void> {
    const { surplus } = await this.leases.round()
    await this.leases.give(surplus.filter((part) => !this.#jobs.has(part)))
  }

  async start(log: Logger): Promise<void> {
    const onError = (error: unknown) => log.error({ err: error }, 'Could not share out the work; retrying')
    await this.round().catch(onError)
    this.#loop = startLoop({ everyMs: this.lifeMs / 4, round: () => this.round(), onError })
  }

  /** Hands everything over. The work itself must have stopped. */
  async stop(log: Logger): Promise<void> {
    await this.#loop?.stop()
    await this.leases
      .leave()
      .catch((error: unknown) => log.warn({ err: error }, 'Could not release the leases; they will expire'))
  }
}
