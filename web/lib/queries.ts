import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AttentionKind, CalendarDays, Platform, PostOrigin, PostStatus } from '../../api/contract/index.ts'
import { allClients } from './all-clients.ts'
import { addressOf, call } from './call.ts'
import { allPages, cardsAt, page, pageAs } from './pages.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard', 'figures'],
  queryFn: () => call('GET /api/dashboard'),
})

/** Under the dashboard's key: what changes the figures changes this too. */
export const attentionQuery = queryOptions({
  queryKey: ['dashboard', 'attention'],
  queryFn: () => call('GET /api/attention'),
})

/** The number of failed posts, for the navigation. The dashboard's list has it too: one request serves both. */
export const failedPostsQuery = queryOptions({
  queryKey: ['failed-posts'],
  queryFn: async ({ client }) => (await client.fetchQuery(attentionQuery)).counts.failed,
})

export const attentionListQuery = (kind: AttentionKind) =>
  infiniteQueryOptions({
    queryKey: ['dashboard', 'attention', kind],
    queryFn: ({ pageParam }) => page('GET /api/attention/{kind}', pageParam, { params: { kind } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  queryFn: () => call('GET /api/clients'),
})

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: ['clients', id],
    queryFn: () => call('GET /api/clients/{id}', { params: { id } }),
  })

export const accountsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['accounts', clientId],
    queryFn: () => call('GET /api/clients/{id}/social-accounts', { params: { id: clientId } }),
    enabled: clientId !== '',
  })

/** What a post of the account without a time would get now. A minute later it may be another one. */
export const nextSlotQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['next-slot', accountId],
    queryFn: () => call('GET /api/social-accounts/{id}/next-slot', { params: { id: accountId } }),
    staleTime: 60_000,
  })

/** The accounts of all clients, or of one. */
export const accountsIn = (scope: string) =>
  scope === allClients
    ? queryOptions({
        queryKey: ['accounts', allClients],
        queryFn: ({ signal }) => allPages('GET /api/social-accounts', signal, {}),
      })
    : accountsQuery(scope)

/** What a list of posts is limited to; the server applies it. */
export interface PostFilter {
  readonly statuses?: readonly PostStatus[]
  readonly platform?: Platform | undefined
  readonly q?: string | undefined
  readonly origin?: PostOrigin | undefined
  readonly assigned?: 'me' | undefined
  readonly waits?: 'me' | 'client' | 'nobody' | undefined
  /** Instants; `to` is exclusive. They concern the time that the list is sorted by. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The newest post first without it. */
  readonly sort?: 'planned' | 'oldest' | undefined
}

const firstPage = 50
const largestPage = 1_000

/** A list shows the beginning of each text; `wholePostQuery` has the rest. */
const cardsQuery = ({ statuses, ...filter }: PostFilter) =>
  ({ view: 'card', limit: String(firstPage), status: statuses?.join(','), ...filter }) as const

/** The address of a list's first page. */
export const cardsAddress = (scope: string, filter: PostFilter = {}) =>
  scope === allClients
    ? addressOf('GET /api/posts', { query: cardsQuery(filter) })
    : addressOf('GET /api/clients/{id}/posts', { params: { id: scope }, query: cardsQuery(filter) })

/** As many posts as are shown already, so that a refetch of a long list takes few requests. */
function largerPage(address: string, shown: number): string {
  const url = new URL(address, window.location.origin)
  url.searchParams.set('limit', String(Math.min(largestPage, Math.max(firstPage, shown))))
  return `${url.pathname}${url.search}`
}

/**
 * Its data are pages of cards; `post-lists.ts` changes them.
 * @param scope a client's id, or `allClients`
 */
export const postsQuery = (scope: string, filter: PostFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['posts', scope, filter] as const,
    queryFn: ({ pageParam, signal }) => cardsAt(pageParam ?? cardsAddress(scope, filter), signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }, pages) =>
      next === null
        ? null
        : largerPage(
            next,
            pages.reduce((sum, { items }) => sum + items.length, 0),
          ),
    enabled: scope !== '',
    // While other words are searched for, the earlier posts of the same client and status stay.
    placeholderData: (previous, query) => {
      const [, ofScope, before] = query?.queryKey ?? []
      return ofScope === scope && before?.statuses?.join() === filter.statuses?.join() ? previous : undefined
    },
  })

export const postCountsQuery = (scope: string) =>
  queryOptions({
    queryKey: ['post-counts', scope],
    queryFn: () =>
      scope === allClients
        ? call('GET /api/post-counts')
        : call('GET /api/clients/{id}/post-counts', { params: { id: scope } }),
  })

/** While a post's newer revision is loaded, its earlier one stays on the screen; another post's never does. */
export const previousOf =
  (postId: string) =>
  <T>(previous: T | undefined, query: { readonly queryKey: readonly unknown[] } | undefined): T | undefined =>
    query?.queryKey[1] === postId ? previous : undefined

/** @param revision that a list showed: a card of a newer one is of another text; null: a list that shows none */
export const wholePostQuery = (id: string, revision: number | null) =>
  queryOptions({
    queryKey: ['post', id, revision],
    queryFn: () => call('GET /api/posts/{id}', { params: { id } }),
    ...(revision === null && { staleTime: 0, gcTime: 0 }),
  })

/** @param revision that the screen shows: a newer one has a longer history */
export const historyQuery = (postId: string, revision: number) =>
  infiniteQueryOptions({
    queryKey: ['history', postId, revision],
    queryFn: ({ pageParam }) => page('GET /api/posts/{id}/history', pageParam, { params: { id: postId } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Opening it is the request to see it: what the publisher did since belongs to it.
    staleTime: 0,
    gcTime: 0,
    placeholderData: previousOf(postId),
  })

export const deliveryQuery = (postId: string, revision: number) =>
  queryOptions({
    queryKey: ['delivery', postId, revision],
    queryFn: () => call('GET /api/posts/{id}/delivery', { params: { id: postId } }),
    // Always fetched anew, like the history: the user opens it to see the present state.
    staleTime: 0,
    gcTime: 0,
    placeholderData: previousOf(postId),
  })

export const choicesQuery = (accountId: string, choice: string) =>
  queryOptions({
    queryKey: ['choices', accountId, choice],
    queryFn: () => call('GET /api/social-accounts/{id}/choices/{choice}', { params: { id: accountId, choice } }),
    gcTime: 0,
  })

/** A view of the calendar: whole weeks of a month, or one week. */
export interface CalendarAsked {
  readonly view: 'month' | 'list' | 'week'
  /** Undefined: the current one. The server reads the same address ahead, with the page. */
  readonly month?: string | undefined
  /** A day of the week. */
  readonly day?: string | undefined
  readonly client?: string | undefined
  readonly drafts?: 'true' | undefined
}

/** @param today its month and week are the current ones */
export const calendarQuery = (asked: CalendarAsked, today: string) =>
  queryOptions({
    queryKey: ['calendar', asked.view, asked.month ?? asked.day ?? today, asked.client ?? 'all', asked.drafts] as const,
    queryFn: async ({ signal }): Promise<CalendarDays> => {
      const { items } = await pageAs('GET /api/calendar', asked.view, null, signal, { query: calendarSearch(asked) })
      return items
    },
  })

/** In the order of the address that the server names in the page's `Link` header. */
export const calendarSearch = ({ view, month, day, client, drafts }: CalendarAsked) => ({
  view,
  month,
  day,
  client,
  drafts,
})

/** One day with all of its posts. */
export const calendarDayQuery = (day: string, client: string | undefined, drafts: 'true' | undefined) =>
  queryOptions({
    queryKey: ['calendar', 'day', day, client ?? 'all', drafts] as const,
    queryFn: async ({ signal }): Promise<CalendarDays> => {
      const query = { view: 'day', day, client, drafts } as const
      return (await pageAs('GET /api/calendar', 'day', null, signal, { query })).items
    },
    gcTime: 0,
  })

export const analyticsQuery = queryOptions({
  queryKey: ['analytics'],
  queryFn: () => call('GET /api/analytics'),
})

export const invoicesQuery = queryOptions({
  queryKey: ['invoices'],
  queryFn: () => call('GET /api/billing/invoices'),
})

export const auditAboutQuery = queryOptions({
  queryKey: ['audit-about'],
  queryFn: () => call('GET /api/audit'),
  staleTime: 0,
})

export const auditorLinksQuery = queryOptions({
  queryKey: ['auditor-links'],
  queryFn: ({ signal }) => allPages('GET /api/audit/links', signal, {}),
  // Links are used by auditors at any time, so their list is never fresh.
  staleTime: 0,
})

export const checkpointsQuery = queryOptions({
  queryKey: ['audit-checkpoints'],
  queryFn: () => call('GET /api/audit/checkpoints'),
  staleTime: 0,
})

export const auditorQuery = (token: string) =>
  queryOptions({
    queryKey: ['auditor', token],
    queryFn: () => call('GET /api/auditor/{token}', { params: { token } }),
  })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call('GET /api/auth/sessions'),
  staleTime: 0,
})

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: () => call('GET /api/auth/factors'),
  staleTime: 0,
})

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: () => call('GET /api/usage'),
  // Every generated text changes it, so opening the screen loads it again.
  staleTime: 0,
  gcTime: 0,
})
