/** The agency's commands, and whether it exists. */
import { agencyDecider } from '../../../domain/agency/decider.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { AgencyCommands } from '../../core/commands.ts'
import { agencyStream, loadAgency } from '../../core/load.ts'
import { RecentAgencies } from '../../core/recent-agencies.ts'

export interface AgencyCommandPorts {
  /** The agency from its view, for use while the event store is down; null without a view. */
  readonly agencyAsShown?: (agencyId: string) => Promise<Agency | null>
}

const maxOpened = 100_000

export function agencyCommands(handler: CommandHandler, { agencyAsShown }: AgencyCommandPorts): AgencyCommands {
  /** An agency is never closed, so a positive answer is cached. */
  const opened = new Set<string>()
  const recallAgency = (agencyId: string): Promise<Agency> =>
    handler.streams.recall(agencyStream(agencyId), agencyDecider, async () => (await agencyAsShown?.(agencyId)) ?? null)
  const recent = new RecentAgencies(recallAgency)
  return {
    agency: async (agencyId, command, by, facts = {}) => {
      const outcome = await handler.handle({
        stream: agencyStream(agencyId),
        decider: agencyDecider,
        command,
        by,
        clientId: null,
        scope: new AggregateScope(handler.streams),
        contextOf: async (state, now) => ({
          now,
          userId: by.actor.type === 'user' ? by.actor.id : null,
          ...(typeof facts === 'function' ? await facts(state) : facts),
        }),
      })
      const last = 'refused' in outcome ? undefined : outcome.appendedEvents.at(-1)
      if (last && !('refused' in outcome)) recent.keep(agencyId, outcome.state, last.revision)
      return outcome
    },
    loadAgency: (agencyId, from = handler.streams) => loadAgency(from, agencyId),
    recallAgency,
    recentAgency: (agencyId) => recent.get(agencyId),
    knownAgency: (agencyId) => recent.known(agencyId),
    forgetRecentAgency: (agencyId) => recent.forget(agencyId),
    agencyExists: async (agencyId, load = () => recallAgency(agencyId)) => {
      if (opened.has(agencyId)) return true
      if ((await load()).ownerId === null) return false
      if (opened.size >= maxOpened) opened.clear()
      opened.add(agencyId)
      return true
    },
  }
}
