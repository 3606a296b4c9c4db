/**
 * A person owns one agency at a time. No stream can say so: each agency has its own. So a claim in the records, one for
 * each person, is written by compare-and-set before the event that makes them an owner. A settled claim, and one whose
 * process died, is judged by the stream of its agency: whether the person is its owner there.
 */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { Problem } from '../../http/problem.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'

export interface OwnershipClaim {
  /** The user's id. */
  readonly id: string
  readonly agencyId: string
  /** The lease of the command under way; null once it was appended. */
  readonly until: Instant | null
  /** Different for each command. */
  readonly claim: string
}

export const ownershipsTable: RecordDefinition<OwnershipClaim> = { table: 'ownerships' }
/** Far longer than an append may take. */
export const claimMs = 60_000
/** Claims of one person change with their own requests only. */
const maxTries = 20

export interface OwnershipPorts {
  readonly commands: Pick<Commands, 'loadAgency'>
  /** The agencies that a view shows the user as the owner of: for those who became owners before there were claims. */
  readonly shownOwned: (userId: string) => Promise<readonly string[]>
  readonly clock: Clock
}

/** A claim, and what it took the place of. */
interface Held {
  readonly claim: string
  readonly before: OwnershipClaim | null
}

/** Whether the person owns another agency. Asked before each try to append, because it renews the lease. */
export type OwnsAnother = () => Promise<boolean>

export class Ownerships {
  private constructor(
    private readonly table: RecordTable<OwnershipClaim>,
    private readonly ports: OwnershipPorts,
  ) {}

  static async open(records: Records, ports: OwnershipPorts): Promise<Ownerships> {
    return new Ownerships(await records.table(ownershipsTable), ports)
  }

  /**
   * Runs a command that makes the user the owner of the agency. A failure may have been stored: its claim stays until
   * its lease is over.
   */
  async owning<O extends object>(
    userId: string,
    agencyId: string,
    command: (ownsAnother: OwnsAnother) => Promise<O>,
  ): Promise<O> {
    let held: Held | null = null
    const outcome = await command(async () => {
      const claimed: Held | null = await this.claim(userId, agencyId, held)
      held = claimed ?? held
      return claimed === null
    })
    if (held) await this.#end(userId, held, 'refused' in outcome ? 'refused' : 'done')
    return outcome
  }

  /**
   * Null when the user owns another agency.
   * @param held by the same command, which tries again
   * @throws Problem 409 while another command may make the user the owner of another agency
   */
  async claim(userId: string, agencyId: string, held: Held | null = null): Promise<Held | null> {
    const { clock } = this.ports
    for (let tries = 1; tries <= maxTries; tries++) {
      const found = await this.table.get(userId)
      const before = found?.record ?? null
      if (before && before.agencyId !== agencyId) {
        if (before.until !== null && before.until > clock.now()) throw underWay()
        if (await this.#isOwner(userId, before.agencyId)) return null
      }
      if (await this.#ownsWithoutClaim(userId, agencyId)) return null
      const claim = held?.claim ?? randomUUID()
      const record = { id: userId, agencyId, until: later(clock.now(), claimMs), claim }
      const isWritten = found ? await this.table.replace(record, found.version) : await this.table.insert(record)
      if (isWritten) return { claim, before: held ? held.before : before }
    }
    throw underWay()
  }

  /** Changes nothing when another command of the user has claimed meanwhile. */
  async #end(userId: string, { claim, before }: Held, outcome: 'done' | 'refused'): Promise<void> {
    const found = await this.table.get(userId)
    if (found?.record.claim !== claim) return
    if (outcome === 'done') await this.table.replace({ ...found.record, until: null }, found.version)
    else if (before) await this.table.replace(before, found.version)
    else await this.table.remove(userId, found.version)
  }

  async #isOwner(userId: string, agencyId: string): Promise<boolean> {
    return (await this.ports.commands.loadAgency(agencyId)).state.ownerId === userId
  }

  /** Those who became owners before there were claims: by the ids of the agencies that they opened, and by the view. */
  async #ownsWithoutClaim(userId: string, except: string): Promise<boolean> {
    for (let ordinal = 0; ; ordinal++) {
      const agencyId = agencyIdOf(userId, ordinal)
      const { ownerId } = (await this.ports.commands.loadAgency(agencyId)).state
      if (ownerId === null) break
      if (ownerId === userId && agencyId !== except) return true
    }
    for (const agencyId of await this.ports.shownOwned(userId))
      if (agencyId !== except && (await this.#isOwner(userId, agencyId))) return true
    return false
  }
}

const underWay = () =>
  new Problem(
    409,
    'ownership-under-way',
    'Another request is making you the owner of an agency. Wait a minute, then try again.',
  )
