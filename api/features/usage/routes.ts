import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Handlers } from '../../http/handler.ts'

export interface UsagePorts {
  readonly views: Views
  readonly writer: { readonly model: string | null }
  readonly clock: Clock
}

const maxMonths = 12

export const usageHandlers = ({ views, writer, clock }: UsagePorts): Handlers<'getUsage'> => ({
  async getUsage({ agencyId }) {
    const found = await views.usage.find({
      where: { agencyId },
      sort: { field: 'month', order: 'desc' },
      limit: maxMonths,
    })
    const months = found.map(({ id: _, agencyId: __, ...month }) => month)
    return { body: { model: writer.model, thisMonth: clock.now().slice(0, 7), months } }
  },
})
