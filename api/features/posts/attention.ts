/** What needs a person, counted and paged from the calendar's indexes; the texts come from the cards. */
import type { Agency } from '../../../domain/agency/state.ts'
import type { Member } from '../../../domain/agency/team-state.ts'
import type { CalendarView } from '../../../projections/calendar/view.ts'
import type { Listed } from '../../../projections/core/views.ts'
import type { Query, Where } from '../../../projections/read-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import {
  attentionKinds,
  attentionShown,
  nextUpShown,
  type Attention,
  type AttentionKind,
  type AttentionPost,
  type NextUp,
} from '../../contract/attention.ts'
import type { Clock } from '../../core/clock.ts'
import type { Handlers } from '../../http/handler.ts'
import { pageOf } from '../../http/paging.ts'
import { whereFor } from '../../core/member-scope.ts'
import { attentionConnections } from '../clients/health.ts'
import { standingOf } from '../../../domain/agency/state.ts'
import type { OwnAddresses } from '../media/images.ts'
import { actFor, actOf } from './attention-act.ts'
import { shownWheres, whereOf } from './attention-where.ts'
import { replies } from './lists.ts'
import { postReader, type PostReader } from './reader.ts'

interface Ports {
  readonly views: Pick<Views, 'calendar' | 'postCards' | 'approvalPolicies' | 'socialAccounts' | 'duePosts'>
  readonly images: OwnAddresses
  readonly clock: Clock
}

const itemsOfPage = 50

export function attentionHandlers({ views, images, clock }: Ports): Handlers<'getAttention' | 'listAttention'> {
  const { cardOf } = replies(images)
  const connectionsOf = attentionConnections({ views, clock })

  const queryOf = (where: Where): Query => ({ where, sort: { field: 'scheduledFor', order: 'asc' } })
  const countOf = async (wheres: readonly Where[]) =>
    (await Promise.all(wheres.map((where) => views.calendar.count(where)))).reduce((sum, count) => sum + count, 0)
  /** The earliest that any of the conditions finds. */
  const firstOf = async (wheres: readonly Where[]) => {
    const found = await Promise.all(
      wheres.map((where) => views.calendar.find({ ...queryOf(where), limit: attentionShown })),
    )
    const at = ({ scheduledFor }: CalendarView) => scheduledFor ?? ''
    return found
      .flat()
      .toSorted((a, b) => (at(a) < at(b) ? -1 : Number(at(a) > at(b))))
      .slice(0, attentionShown)
  }

  /** The posts with their cards and names, in order; one that was deleted or whose client was removed is omitted. */
  async function named(entries: readonly Pick<CalendarView, 'id'>[], { clients }: Pick<Agency, 'clients'>) {
    const cards = await views.postCards.getMany(entries.map(({ id }) => id))
    const accounts = await views.socialAccounts.getMany([
      ...new Set([...cards.values()].map(({ socialAccountId }) => socialAccountId)),
    ])
    return entries.flatMap(({ id }) => {
      const card = cards.get(id)
      const client = card && clients[card.clientId]
      if (!card || !client) return []
      const account = accounts.get(card.socialAccountId) ?? null
      return [{ card, account, clientName: client.name, accountName: account?.accountName ?? '' }]
    })
  }
  type Named = Awaited<ReturnType<typeof named>>[number]

  const nextUpOf = async ({ card, clientName, accountName }: Named, reader: PostReader): Promise<NextUp> => ({
    post: await cardOf(card, reader),
    clientName,
    accountName,
  })
  const attentionOf = async (
    kind: AttentionKind,
    found: Named,
    agency: Agency,
    reader: PostReader,
    me: Member,
  ): Promise<AttentionPost> => ({
    ...(await nextUpOf(found, reader)),
    kind,
    act: actOf(
      actFor(kind, found.card, {
        isConnected: found.account?.isConnected ?? false,
        standing: standingOf(agency, clock.now()),
      }),
      me,
    ),
  })

  /** Candidates of a page with what they show: looked up together, a batch at a time. */
  async function* namedInBatches(
    entries: AsyncIterable<Listed<CalendarView>>,
    agency: Agency,
  ): AsyncGenerator<Listed<Named>> {
    let batch: Listed<CalendarView>[] = []
    async function* flush() {
      const found = new Map(
        (
          await named(
            batch.map(({ item }) => item),
            agency,
          )
        ).map((each) => [each.card.id, each]),
      )
      for (const { item, cursor } of batch) {
        const each = found.get(item.id)
        if (each) yield { item: each, cursor }
      }
      batch = []
    }
    for await (const entry of entries) {
      batch.push(entry)
      if (batch.length === itemsOfPage) yield* flush()
    }
    yield* flush()
  }

  return {
    async getAttention({ agencyId, me, by, loadAgency }) {
      const of = whereFor(agencyId, me.clients)
      const onItsWay: Where = {
        ...of,
        status: { in: ['approved', 'scheduled'] },
        delivery: { in: ['none', 'rejected'] },
        scheduledFor: { gte: clock.now() },
      }
      const agency = await loadAgency()
      const reader = postReader(views, agencyId, agency, by.actor)
      const { connections, others } = await connectionsOf(of, agency.clients)
      const shown = { clients: Object.keys(agency.clients), others }
      const wheres = attentionKinds.map((kind) => shownWheres(whereOf({ ...of }, kind, clock.now()), kind, shown))
      const [numbers, first, next] = await Promise.all([
        Promise.all(wheres.map(countOf)),
        Promise.all(wheres.map(firstOf)),
        views.calendar.find({ ...queryOf(onItsWay), limit: nextUpShown }),
      ])
      const found = new Map(
        (await named([...first.flat(), ...next], agency)).map((each) => [each.card.id, each] as const),
      )
      const posts = attentionKinds.flatMap((kind, at) =>
        (first[at] ?? []).flatMap(({ id }) => {
          const each = found.get(id)
          return each ? [attentionOf(kind, each, agency, reader, me)] : []
        }),
      )
      const nextUp = next.flatMap(({ id }) => {
        const each = found.get(id)
        return each ? [nextUpOf(each, reader)] : []
      })
      const counts = Object.fromEntries(attentionKinds.map((kind, at) => [kind, numbers[at] ?? 0]))
      return {
        body: {
          counts: counts as Attention['counts'],
          posts: await Promise.all(posts),
          connections: [...connections],
          nextUp: await Promise.all(nextUp),
        },
      }
    },

    async listAttention({ agencyId, me, by, loadAgency, params: { kind }, query: { cursor } }) {
      const agency = await loadAgency()
      const of = whereFor(agencyId, me.clients)
      const { where, sort } = queryOf(whereOf({ ...of }, kind, clock.now()))
      const reader = postReader(views, agencyId, agency, by.actor)
      const others = kind === 'held' ? new Set((await connectionsOf(of, agency.clients)).others) : null
      const standsForItself = ({ card }: Named) =>
        others === null || card.heldBecause !== 'not-connected' || others.has(card.socialAccountId)
      const entries = views.calendar.each({
        ...(where && { where }),
        ...(sort && { sort }),
        ...(cursor !== undefined && { cursor }),
      })
      return pageOf(
        namedInBatches(entries, agency),
        async (each) => (standsForItself(each) ? attentionOf(kind, each, agency, reader, me) : null),
        {
          items: itemsOfPage,
          bytes: 2_000_000,
          looked: 2_000,
        },
      )
    },
  }
}
