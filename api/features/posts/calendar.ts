import type { CalendarView } from '../../../projections/calendar/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Past } from '../history/past.ts'
import type { Charge } from '../history/read-cost.ts'
import { whereFor } from '../../core/member-scope.ts'
import { auditScopeOf, type AuditScope } from '../history/scope.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Handlers } from '../../http/handler.ts'
import { pageOf, type ListPage, type PageBounds } from '../../http/paging.ts'
import { notFound, Problem } from '../../http/problem.ts'
import type { CalendarEntry } from '../../contract/index.ts'
import { withPresentImage, type OwnAddresses } from '../media/images.ts'
import type { Clock } from '../../core/clock.ts'
import { monthSpan } from '../../core/time-zone.ts'
import { maxPerDay, tilesOf, viewDays } from './calendar-days.ts'
import { seenBy } from './lists.ts'
import { pastReader, readerFor, type PostReader } from './reader.ts'

/** The calendar shows posts that are approved, scheduled or published. */
const shown = ['approved', 'scheduled', 'published'] as const

/** A densely planned month is read in several short answers. */
const bounds: PageBounds = { items: 200, bytes: 300_000, looked: 400 }

interface Ports {
  readonly views: Pick<Views, 'calendar' | 'approvalPolicies'>
  readonly images: OwnAddresses
  readonly past: Past
  readonly clock: Clock
}

export const calendarHandlers = (
  { views, images, past, clock }: Ports,
  readerOf = readerFor(views),
): Handlers<'getCalendar'> => ({
  async getCalendar(ask) {
    const { agencyId, me, query } = ask
    const ofMember = whereFor(agencyId, me.clients)
    const { view, month, client, cursor } = query
    if (client !== undefined && query.asOf === undefined) await mustHaveClient(ask, client)
    if (view !== undefined) {
      if (query.asOf !== undefined) throw new Problem(400, 'invalid', 'As of: Not with a view')
      const agency = await ask.loadAgency()
      const { timeZone, clients } = agency
      const days = viewDays(view, query, clock.now(), timeZone)
      const asked = {
        of: client === undefined ? ofMember : { agencyId, clientId: client },
        withDrafts: query.drafts !== undefined,
        maxPerDay: maxPerDay[view],
      }
      return {
        body: await tilesOf(views.calendar, asked, days, (id) => id in clients, await readerOf(ask)),
      }
    }
    if (month === undefined) throw new Problem(400, 'invalid', 'Month: Enter a month like 2025-01')
    if (query.asOf !== undefined)
      return asItWas(
        { past, images },
        auditScopeOf(agencyId, me.clients),
        query.asOf,
        { month, client, cursor },
        ask.charge,
      )
    const agency = await ask.loadAgency()
    const reader = await readerOf(ask)
    const { from, to } = monthSpan(month, agency.timeZone)
    const where = {
      ...ofMember,
      scheduledFor: { gte: from, lt: to },
      status: { in: [...shown] },
      ...(client === undefined ? {} : { clientId: client }),
    }
    const posts = views.calendar.each(
      { where, sort: { field: 'scheduledFor', order: 'asc' }, ...(cursor === undefined ? {} : { cursor }) },
      bounds.items + 1,
    )
    return pageOf(posts, (post) => (post.clientId in agency.clients ? entryOf(images, post, reader) : null), bounds)
  },
})

async function entryOf(images: OwnAddresses, stored: CalendarView, reader: PostReader): Promise<CalendarEntry | null> {
  const { agencyId: _, textBy: __, imageBy: ___, round: ____, scheduledFor, ...post } = stored
  if (scheduledFor === null) return null
  return withPresentImage(images, { ...post, scheduledFor, ...(await seenBy(reader, stored)) })
}

interface Asked {
  readonly month: string
  readonly client?: string | null | undefined
  readonly cursor?: string | undefined
}

/**
 * A page of the month as it was at an instant, from the log. @throws Problem 404 for a client that didn't exist then,
 * 400 for a wrong cursor, 429 when the points are used up
 */
export async function asItWas(
  { past, images }: Pick<Ports, 'past' | 'images'>,
  scope: AuditScope,
  at: string,
  { month, client = null, cursor }: Asked,
  charge: Charge,
): Promise<ListPage<CalendarEntry>> {
  const agency = await past.agency(scope.agencyId, at)
  if (client !== null && !(client in agency.clients)) throw notFound('This client')
  const shape = (post: CalendarView) => {
    const stands = shown.some((status) => status === post.status) && post.clientId in agency.clients
    return stands ? entryOf(images, post, pastReader) : null
  }
  const span = { month, ...monthSpan(month, agency.timeZone) }
  return past.calendar({ ...scope, clientId: client }, at, span, cursor, shape, charge)
}
