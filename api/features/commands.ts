/** Composes the commands of all features over one command handler. */
import { AggregateScope } from '../core/aggregates.ts'
import { CommandHandler, type CommandHandlerPorts } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import { agencyCommands, type AgencyCommandPorts } from './agency/commands.ts'
import { sampleCommands } from './analytics/sample-commands.ts'
import { auditorLinkCommands } from './audit/link-commands.ts'
import { clientCommands } from './clients/commands.ts'
import { reviewLinkCommands } from './review/commands.ts'
import { discussionCommands } from './comments/commands.ts'
import { generationCommands } from './writer/generation-commands.ts'
import { postCommands, type PostCommandPorts } from './posts/commands.ts'

export type CommandPorts = CommandHandlerPorts & AgencyCommandPorts & PostCommandPorts

export function createCommands(ports: CommandPorts): Commands & { readonly ports: CommandPorts } {
  const handler = new CommandHandler(ports)
  return {
    ...agencyCommands(handler, ports),
    ...clientCommands(handler),
    ...generationCommands(handler),
    ...postCommands(handler, ports),
    ...discussionCommands(handler),
    ...auditorLinkCommands(handler),
    ...reviewLinkCommands(handler),
    ...sampleCommands(handler),
    ports,
    newScope: () => new AggregateScope(handler.streams),
  }
}
