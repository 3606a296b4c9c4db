/** The commands on a client's sample figures. */
import { sampleDecider } from '../../../domain/sample/decider.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { SampleCommands } from '../../core/commands.ts'

export const sampleCommands = (handler: CommandHandler): SampleCommands => ({
  sample: (clientId, command, by) =>
    handler.handle({
      stream: `sample-${clientId}`,
      decider: sampleDecider,
      command,
      by,
      clientId,
      scope: new AggregateScope(handler.streams),
      contextOf: () => ({ clientId }),
    }),
})
