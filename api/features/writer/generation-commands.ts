/** The commands of a generated text: they need the agency's standing and its roster. */
import { standingOf } from '../../../domain/agency/state.ts'
import { generationDecider } from '../../../domain/generation/decider.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { GenerationCommands } from '../../core/commands.ts'
import { generationStream, loadAgency, loadGeneration } from '../../core/load.ts'

export const generationCommands = (handler: CommandHandler): GenerationCommands => ({
  generation: (clientId, command, by) => {
    const scope = new AggregateScope(handler.streams)
    return handler.handle({
      stream: generationStream(command.generationId),
      decider: generationDecider,
      command,
      by,
      clientId,
      scope,
      contextOf: async (_, now) => {
        const { state: agency } = await loadAgency(scope, by.agencyId)
        return { standing: standingOf(agency, now), onRoster: clientId in agency.clients }
      },
    })
  },
  loadGeneration: (generationId, from = handler.streams) => loadGeneration(from, generationId),
})
