/** Searches the posts of all clients for the palette: once typing pauses, the newest few, one request at a time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PostCard } from '../../../api/contract/index.ts'
import { addressOf } from '../../lib/call.ts'
import { cardsAt } from '../../lib/pages.ts'

/** The pause in typing after which the search starts. */
const pauseMs = 200
const minCharacters = 2
/** The server takes so many. */
const maxWords = 8
export const maxTyped = 100
const maxFound = 8

export interface PostSearch {
  readonly posts: readonly PostCard[]
  readonly state: 'idle' | 'searching' | 'found' | 'failed'
}

export function usePostSearch(typed: string): PostSearch {
  const q = searchOf(typed)
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(q), pauseMs)
    return () => clearTimeout(timer)
  }, [q])
  const query = useQuery({
    queryKey: ['palette', settled],
    // Reading the signal ends the request before as soon as another text is searched for.
    queryFn: ({ signal }) =>
      cardsAt(addressOf('GET /api/posts', { query: { view: 'card', limit: String(maxFound), q: settled } }), signal),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  if (q === '') return { posts: [], state: 'idle' }
  if (query.isError) return { posts: [], state: 'failed' }
  const isCurrent = q === settled && query.isSuccess && !query.isPlaceholderData
  return { posts: settled === '' ? [] : (query.data?.items ?? []), state: isCurrent ? 'found' : 'searching' }
}

/** Empty for what is too short to search for. */
function searchOf(typed: string): string {
  const words = typed.trim().split(/\s+/u).slice(0, maxWords).join(' ')
  return words.length >= minCharacters && /[\p{L}\p{N}]/u.test(words) ? words : ''
}
