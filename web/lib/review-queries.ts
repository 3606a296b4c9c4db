/** The people of a client who may be asked for review, and the links that they were sent. For managers and above. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ClientContact } from '../../api/contract/index.ts'
import { call } from './call.ts'
import { page } from './pages.ts'
import { queryClient } from './query-client.ts'

export const contactsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['contacts', clientId],
    queryFn: () => call('GET /api/clients/{id}/contacts', { params: { id: clientId } }),
  })

export const reviewLinksQuery = (clientId: string) =>
  infiniteQueryOptions({
    queryKey: ['review-links', clientId],
    queryFn: ({ pageParam }) => page('GET /api/clients/{id}/review-links', pageParam, { params: { id: clientId } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Links are used at any time, so their list is never fresh.
    staleTime: 0,
  })

/** As a dictionary sorts. */
const { compare } = new Intl.Collator('en', { numeric: true })

/** Shows a new contact in its place at once. */
export function putContact(clientId: string, contact: ClientContact): void {
  queryClient.setQueryData(contactsQuery(clientId).queryKey, (before) =>
    before === undefined
      ? before
      : [...before.filter(({ id }) => id !== contact.id), contact].toSorted((a, b) => compare(a.name, b.name)),
  )
}

export const afterContactChange = (clientId: string) =>
  queryClient.invalidateQueries({ queryKey: contactsQuery(clientId).queryKey })
export const afterReviewLinkChange = (clientId: string) =>
  queryClient.invalidateQueries({ queryKey: reviewLinksQuery(clientId).queryKey })

/** For the owner. */
export const reviewersQuery = (clientId: string, linkId: string) =>
  queryOptions({
    queryKey: ['reviewers', clientId, linkId],
    queryFn: () => call('GET /api/review-links/{id}/reviewers', { params: { id: linkId } }),
    // People act at any time.
    staleTime: 0,
  })

/** The name is in histories and receipts too, which are asked for anew when they are opened. */
export async function afterErasure(clientId: string): Promise<void> {
  queryClient.removeQueries({ queryKey: ['receipts'] })
  await Promise.all([
    afterContactChange(clientId),
    queryClient.invalidateQueries({ queryKey: ['reviewers', clientId] }),
  ])
}
