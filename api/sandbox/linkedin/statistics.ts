/**
 * Figures: a company page's posts all at once, a member's one by one.
 * https://learn.microsoft.com/linkedin/marketing/community-management/members/post-statistics
 */
import { Router } from 'express'
import { underFaults } from '../faults.ts'
import { figuresOf, type Figures } from '../figures.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { forbidden, holderOf, invalid, linkedinTroubles, may } from './answers.ts'

const organizationScopes = {
  member: [],
  organization: ['rw_organization_admin', 'r_organization_admin', 'r_organization_social'],
}
const memberScopes = { member: ['r_member_postAnalytics'], organization: [] }

/** How each of a member's query types maps to our figures; an unlisted type is not offered. */
const queryTypes: Readonly<Record<string, (figures: Figures) => number>> = {
  IMPRESSION: ({ views }) => views,
  MEMBERS_REACHED: ({ views }) => Math.ceil(views * 0.8),
  REACTION: ({ likes }) => likes,
  COMMENT: ({ comments }) => comments,
  RESHARE: ({ shares = 0 }) => shares,
}

const metricKey = 'com.linkedin.adsexternalapi.memberanalytics.v1.CreatorPostAnalyticsMetricTypeV1'

export function statisticsRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults } = ports
  const router = Router()

  router.get('/rest/organizationalEntityShareStatistics', async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const remoteId = given(request, 'organizationalEntity')
    if (given(request, 'q') !== 'organizationalEntity')
      return void invalid(response, 'q=organizationalEntity is expected')
    if (!may(ports, response, holder, remoteId, organizationScopes)) return
    await underFaults(
      faults,
      linkedinTroubles,
      { platform: 'linkedin', remoteId, step: 'metrics' },
      { request, response },
      () => {
        const urns = /^List\((.*)\)$/.exec(given(request, 'shares'))?.[1]?.split(',') ?? []
        const elements = urns.flatMap((urn) => {
          const post = store.feed.post('linkedin', decodedOnce(urn))
          if (post?.remoteId !== remoteId) return []
          const { views, likes, comments, shares = 0 } = figuresOf(post, clock.now())
          const totalShareStatistics = {
            impressionCount: views,
            uniqueImpressionsCount: Math.ceil(views * 0.8),
            likeCount: likes,
            commentCount: comments,
            shareCount: shares,
            clickCount: Math.floor(views / 20),
            engagement: views === 0 ? 0 : (likes + comments + shares) / views,
          }
          return [{ totalShareStatistics, organizationalEntity: remoteId, share: post.id }]
        })
        return () => void response.json({ paging: { start: 0, count: 10, links: [] }, elements })
      },
    )
  })

  router.get('/rest/memberCreatorPostAnalytics', async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const { remoteId } = holder
    if (!may(ports, response, holder, remoteId, memberScopes)) return
    const urn = decodedOnce(/^\((?:share|ugc):(.+)\)$/.exec(given(request, 'entity'))?.[1] ?? '')
    const type = given(request, 'queryType')
    const count = Object.hasOwn(queryTypes, type) ? queryTypes[type] : undefined
    if (given(request, 'q') !== 'entity' || !count || given(request, 'aggregation') !== 'TOTAL') {
      return void invalid(response, 'q=entity with a queryType and aggregation=TOTAL is expected')
    }
    await underFaults(
      faults,
      linkedinTroubles,
      { platform: 'linkedin', remoteId, step: 'metrics' },
      { request, response },
      () => {
        const post = store.feed.post('linkedin', urn)
        if (post?.remoteId !== remoteId) return () => forbidden(response, urn)
        const elements = [
          {
            count: count(figuresOf(post, clock.now())),
            targetEntity: { share: urn },
            metricType: { [metricKey]: type },
          },
        ]
        return () => void response.json({ paging: { start: 0, count: 10, links: [] }, elements })
      },
    )
  })
  return router
}

/** Rest.li encodes a URN inside its own syntax, and the query has been decoded once before. */
function decodedOnce(urn: string): string {
  try {
    return decodeURIComponent(urn)
  } catch {
    return urn
  }
}
