/** The auditor link's commands: they need to know whether the client of its scope exists. */
import { auditorLinkDecider } from '../../../domain/auditor-link/decider.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { AuditorLinkCommands } from '../../core/commands.ts'
import { auditorLinkStream, loadAgency, loadAuditorLink } from '../../core/load.ts'

export const auditorLinkCommands = (handler: CommandHandler): AuditorLinkCommands => ({
  auditorLink: (linkId, command, by) => {
    const clientId =
      command.type === 'IssueAuditorLink' && command.scope.kind === 'client' ? command.scope.clientId : null
    const scope = new AggregateScope(handler.streams)
    return handler.handle({
      stream: auditorLinkStream(linkId),
      decider: auditorLinkDecider,
      command,
      by,
      clientId: null,
      scope,
      contextOf: async (_, now) => {
        const { state: agency } = await loadAgency(scope, by.agencyId)
        return { now, scopeExists: clientId === null || clientId in agency.clients }
      },
    })
  },
  loadAuditorLink: (linkId) => loadAuditorLink(handler.streams, linkId),
})
