import { abilitiesOf } from '../../domain/post/state-table.ts'
import type { Views } from '../../projections/registry.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Handlers } from '../http/handler.ts'
import { withPresentImage, type OwnAddresses } from '../media/images.ts'
import { monthSpan } from '../zone.ts'

/** What stands on a calendar: what is on its way, and what went out. */
const shown = ['approved', 'scheduled', 'published'] as const

export const calendarHandlers = ({ views, images }: { readonly views: Views; readonly images: OwnAddresses }): Handlers<'getCalendar'> => ({
  async getCalendar(ask) {
    const { agencyId, query } = ask
    const agency = await ask.loadAgency()
    if (query.client !== undefined) await mustHaveClient(ask, query.client)
    const { from, to } = monthSpan(query.month, agency.timeZone)
    const posts = await views.calendar.all({
      where: {
        agencyId,
        scheduledFor: { gte: from, lt: to },
        status: { in: [...shown] },
        ...(query.client === undefined ? {} : { clientId: query.client }),
      },
      sort: { field: 'scheduledFor', order: 'asc' },
    })
    const body = posts.flatMap(({ agencyId: _, scheduledFor, ...post }) =>
      scheduledFor !== null && post.clientId in agency.clients
        ? [withPresentImage(images, { ...post, scheduledFor, can: abilitiesOf(post) })]
        : [],
    )
    return { body: await Promise.all(body) }
  },
})
