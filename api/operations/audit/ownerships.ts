/** The agencies that a user owns, from the log: a view may be missing where a command line runs. */
import { agencyDecider } from '../../../domain/agency/decider.ts'
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { foldUpTo } from '../../features/history/scope.ts'

export interface Ownership {
  readonly agencyId: string
  readonly name: string
  /** Members beside the owner, to one of whom the ownership can move. */
  readonly others: number
}

const transfers = { names: catalogue.namesOf(['OwnershipTransferred']) }

export async function ownershipsOf(events: EventStore, userId: string): Promise<readonly Ownership[]> {
  const ids = new Set<string>()
  // Opened by the user, one after the other.
  for (let ordinal = 0; ; ordinal++) {
    const agencyId = agencyIdOf(userId, ordinal)
    if ((await agencyOf(events, agencyId)).ownerId === null) break
    ids.add(agencyId)
  }
  // Opened by another person, and transferred to the user.
  for await (const batch of events.readAll(null, transfers))
    for (const { data, metadata } of batch) if (data['userId'] === userId) ids.add(metadata.agencyId)
  const owned: Ownership[] = []
  for (const agencyId of ids) {
    const { ownerId, name, team } = await agencyOf(events, agencyId)
    if (ownerId === userId) owned.push({ agencyId, name, others: Object.keys(team.members).length - 1 })
  }
  return owned
}

const agencyOf = (events: EventStore, agencyId: string) =>
  foldUpTo(events, `agency-${agencyId}`, null, agencyDecider.initial, (state, stored) =>
    agencyDecider.evolve(state, recorded(stored) as AgencyEvent),
  )
