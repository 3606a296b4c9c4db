/** Takes posts back from a member who left, or who no longer works for their client. */
import { includesClient, type ClientScope } from '../../../domain/agency/roles.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AppendedEvent, CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'

interface Ports {
  readonly commands: Commands
  readonly views: Pick<Views, 'postCards'>
}

/** Of one request; a second one of the same member goes on. */
const maxUnassigned = 10_000

/** @param keeping the clients that the member still works for */
export async function unassign(
  { commands, views }: Ports,
  memberId: string,
  keeping: ClientScope,
  by: CommandContext,
): Promise<AppendedEvent[]> {
  const where = { agencyId: by.agencyId, assignedTo: memberId }
  const assigned = keeping === 'all' ? [] : await views.postCards.all({ where }, maxUnassigned)
  const appendedEvents: AppendedEvent[] = []
  for (const { id, clientId } of assigned) {
    if (includesClient(keeping, clientId)) continue
    const result = await commands.post(id, { type: 'AssignPost', memberId: null }, by)
    // A post that was deleted meanwhile needs no member.
    if (!('refused' in result)) appendedEvents.push(...result.appendedEvents)
  }
  return appendedEvents
}
