import { createHash } from 'node:crypto'
import { platforms, type Platform } from '../../../domain/core/values.ts'
import type { SampleFigures } from '../../../domain/sample/commands.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'

export interface AnalyticsPorts {
  readonly commands: Commands
  readonly views: Views
}

type Names = 'listAnalytics' | 'seedAnalytics' | 'removeSampleData'

export function analyticsHandlers({ commands, views }: AnalyticsPorts): Handlers<Names> {
  return {
    async listAnalytics({ agencyId, loadAgency }) {
      const { clients } = await loadAgency()
      const records = await views.analytics.all({ where: { agencyId } })
      const body = records.flatMap(({ clientId, postPlatform, measured, measuredAt, sample }) => {
        const client = clients[clientId]
        if (!client) return []
        const none = { views: 0, likes: 0, comments: 0, shares: 0, engagement: 0 }
        const extra = sample ?? none
        return {
          clientId,
          clientName: client.name,
          postPlatform,
          views: measured.views + extra.views,
          likes: measured.likes + extra.likes,
          comments: measured.comments + extra.comments,
          shares: measured.shares + extra.shares,
          engagement: measured.engagement + extra.engagement,
          measuredAt,
          sample: sample !== null,
        }
      })
      return { body }
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
      return { body: { message: `Sample figures were added for ${counted(clientIds.length)}.` } }
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
            removed === 0 ? 'There was no sample data.' : `Sample figures were removed from ${counted(removed)}.`,
        },
      }
    },
  }
}

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
