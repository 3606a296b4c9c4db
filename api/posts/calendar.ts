import { abilitiesOf } from '../../domain/post/state-table.ts'
import type { Views } from '../../projections/registry.ts'
import type { Past } from '../audit/past.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/problem.ts'
import type { CalendarEntry } from '../contract/index.ts'
import { withPresentImage, type OwnAddresses } from '../media/images.ts'
import { monthSpan } from '../zone.ts'

/** What stands on a calendar: what is on its way, and what went out. */
const shown = ['approved', 'scheduled', 'published'] as const

export const calendarHandlers = ({ views, images, past }: { readonly views: Views; readonly images: OwnAddresses; readonly past: Past }): Handlers<'getCalendar'> => ({
  async getCalendar(ask) {
    const { agencyId, query } = ask
    if (query.asOf !== undefined) return { body: await asItWas({ past, images }, agencyId, query.asOf, query) }
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

/** The month as it stood there at an instant, from the log. @throws Problem 404 for a client that wasn't there then */
export async function asItWas(
  { past, images }: { readonly past: Past; readonly images: OwnAddresses },
  agencyId: string,
  at: string,
  { month, client = null }: { readonly month: string; readonly client?: string | null | undefined },
): Promise<CalendarEntry[]> {
  const agency = await past.agency(agencyId, at)
  if (client !== null && !(client in agency.clients)) throw notFound('This client')
  const { from, to } = monthSpan(month, agency.timeZone)
  const posts = await past.calendar({ agencyId, clientId: client }, at)
  const body = posts.flatMap(({ agencyId: _, scheduledFor, ...post }) => {
    const stands = scheduledFor !== null && scheduledFor >= from && scheduledFor < to && shown.some((status) => status === post.status)
    return stands && post.clientId in agency.clients ? [withPresentImage(images, { ...post, scheduledFor, can: [] })] : []
  })
  return Promise.all(body)
}
