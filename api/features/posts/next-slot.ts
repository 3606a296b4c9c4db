/** Names the next free slot before a post takes it. */
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import type { Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { freeSlots } from './free-slot.ts'

interface Ports {
  readonly commands: Commands
  readonly views: Views
  readonly clock: Clock
}

export function nextSlotHandlers({ commands, views, clock }: Ports): Handlers<'getNextSlot'> {
  const freeSlot = freeSlots(() => views)
  return {
    async getNextSlot({ agencyId, loadAgency, aggregates, params }) {
      const account = await views.socialAccounts.get(params.id)
      const agency = await loadAgency()
      if (account?.agencyId !== agencyId || !(account.clientId in agency.clients)) throw notFound('This social account')
      const { state: client } = await commands.loadClient(account.clientId, aggregates)
      return { body: { at: await freeSlot(agency, client, account.id, clock.now()) } }
    },
  }
}
