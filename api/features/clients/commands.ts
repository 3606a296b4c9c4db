/** The client's commands: they need the agency's standing and its roster. */
import { standingOf } from '../../../domain/agency/state.ts'
import { clientDecider } from '../../../domain/client/decider.ts'
import { approversIn } from '../../../domain/agency/approvers.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { ClientCommands } from '../../core/commands.ts'
import { clientStream, loadAgency, loadClient } from '../../core/load.ts'

export const clientCommands = (handler: CommandHandler): ClientCommands => ({
  client: (clientId, command, by) => {
    const scope = new AggregateScope(handler.streams)
    return handler.handle({
      stream: clientStream(clientId),
      decider: clientDecider,
      command,
      by,
      clientId,
      scope,
      contextOf: async (_, now) => {
        const { state: agency } = await loadAgency(scope, by.agencyId)
        const approvers = approversIn(agency, clientId)
        return { now, standing: standingOf(agency, now), onRoster: clientId in agency.clients, approvers }
      },
    })
  },
  loadClient: (clientId, from = handler.streams) => loadClient(from, clientId),
})
