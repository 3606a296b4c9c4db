import { createHash } from 'node:crypto'
import { platforms, type Platform } from '../../../domain/core/values.ts'
import type { SampleFigures } from '../../../domain/sample/commands.ts'
import type { Routes } from '../../contract/index.ts'
import type { SearchParams } from '../../contract/route.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import type { Clock } from '../../core/clock.ts'
import { whereFor } from '../../core/member-scope.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { checkedDays, daysOf } from './days.ts'
import { postLines, totalLines } from './export.ts'
import { postsPage, postsList } from './posts.ts'
import { allTotals, totalsIn } from './totals.ts'

export interface AnalyticsPorts {
  readonly commands: Commands
  readonly views: Views
  readonly clock: Clock
}

type Names =
  | 'listAnalytics'
  | 'getAnalyticsPeriod'
  | 'listAnalyticsPosts'
  | 'exportAnalytics'
  | 'seedAnalytics'
  | 'removeSampleData'

export function analyticsHandlers({ commands, views, clock }: AnalyticsPorts): Handlers<Names> {
  return {
    async listAnalytics({ agencyId, me, loadAgency }) {
      const { clients } = await loadAgency()
      return { body: await allTotals(views, { of: whereFor(agencyId, me.clients), clients }) }
    },

    async getAnalyticsPeriod({ agencyId, me, loadAgency, query: { from, to, client } }) {
      const agency = await loadAgency()
      const clients = clientsIn(agency.clients, client)
      return {
        body: await totalsIn(
          views,
          { of: whereFor(agencyId, me.clients), clients },
          checkedDays({ from, to }),
          agency.timeZone,
        ),
      }
    },

    async listAnalyticsPosts({ agencyId, me, loadAgency, query }) {
      const { clients, timeZone: zone } = await loadAgency()
      const scope = { of: whereFor(agencyId, me.clients), clients, zone }
      const { body, next } = await postsPage(views, scope, postsList(scope, askedOf(query)), query.cursor)
      return { body, page: { next } }
    },

    async exportAnalytics({ agencyId, me, loadAgency, query }) {
      const agency = await loadAgency()
      const of = whereFor(agencyId, me.clients)
      const scope = { of, clients: agency.clients, zone: agency.timeZone }
      const asked = askedOf(query)
      const named = asked.days ? `${asked.days.from}-to-${asked.days.to}` : clock.now().slice(0, 10)
      const name = `analytics-${query.of}-${named}.csv`
      if (query.of === 'posts')
        return { file: { name, kind: 'csv', lines: postLines(views, scope, postsList(scope, asked)) } }
      const shown = { of, clients: clientsIn(agency.clients, query.client) }
      const records = asked.days
        ? (await totalsIn(views, shown, asked.days, agency.timeZone)).records
        : await allTotals(views, shown)
      return { file: { name, kind: 'csv', lines: totalLines(records, asked.days !== undefined) } }
    },

    async seedAnalytics({ loadAgency, by, visible }) {
      const clientIds = Object.keys((await loadAgency()).clients)
      if (clientIds.length === 0) throw new Problem(409, 'no-client', 'Add a client first.')
      const appendedEvents: AppendedEvent[] = []
      for (const clientId of clientIds) {
        const figures = platforms.map((platform) => sampleOf(clientId, platform))
        appendedEvents.push(
          ...accepted(await commands.sample(clientId, { type: 'AddSampleFigures', figures }, by)).appendedEvents,
        )
      }
      await visible(appendedEvents)
      return { body: { message: `Sample metrics were added for ${counted(clientIds.length)}.` } }
    },

    async removeSampleData({ loadAgency, by, visible }) {
      const appendedEvents: AppendedEvent[] = []
      let removed = 0
      for (const clientId of Object.keys((await loadAgency()).clients)) {
        const done = accepted(await commands.sample(clientId, { type: 'RemoveSampleFigures' }, by))
        removed += done.appended
        appendedEvents.push(...done.appendedEvents)
      }
      await visible(appendedEvents)
      return {
        body: {
          message:
            removed === 0 ? 'There was no sample data.' : `Sample metrics were removed from ${counted(removed)}.`,
        },
      }
    },
  }
}

/** One client, or all of them. @throws Problem 404 for another agency's */
function clientsIn<C>(clients: Readonly<Record<string, C>>, id: string | undefined): Readonly<Record<string, C>> {
  if (id === undefined) return clients
  const client = clients[id]
  if (!client) throw notFound('This client')
  return { [id]: client }
}

const askedOf = ({ from, to, ...asked }: SearchParams<Routes['listAnalyticsPosts']>) => ({
  ...asked,
  days: daysOf({ from, to }),
  client: asked.client,
})

const counted = (clients: number) => `${clients} ${clients === 1 ? 'client' : 'clients'}`

/** Figures typical for a month of a small brand; the same each time for a client and platform. */
function sampleOf(clientId: string, platform: Platform): SampleFigures {
  const bytes = createHash('sha256').update(`${clientId}:${platform}`).digest()
  const share = (index: number) => (bytes[index] ?? 0) / 255
  const views = 1200 + Math.round(share(0) * 7200)
  const likes = Math.round(views * (0.03 + share(1) * 0.05))
  const comments = Math.round(likes * (0.05 + share(2) * 0.15))
  const shares = Math.round(likes * (0.04 + share(3) * 0.12))
  return { platform, views, likes, comments, shares, engagement: likes + comments + shares }
}
