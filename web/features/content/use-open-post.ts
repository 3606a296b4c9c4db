/** The post of the address `/content/<id>`: as a list shows it, else loaded. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PostCard } from '../../../api/contract/index.ts'
import { statusOf } from '../../lib/error-text.ts'
import { shownCard } from '../../lib/post-lists.ts'
import { wholePostQuery } from '../../lib/queries.ts'

interface OpenPost {
  readonly card: PostCard | null
  readonly isLoading: boolean
  /** It was deleted, or belongs to another agency. */
  readonly isUnknown: boolean
}

export function useOpenPost(id: string | null): OpenPost {
  const listed = useMemo(() => (id === null ? null : shownCard(id)), [id])
  const query = useQuery({ ...wholePostQuery(id ?? '', null), enabled: id !== null && listed === null })
  const card = useMemo(() => {
    if (listed || !query.data) return listed
    const { content, ...post } = query.data
    return { ...post, excerpt: content, truncated: false }
  }, [listed, query.data])
  const code = query.isError ? statusOf(query.error) : null
  return { card, isLoading: query.isLoading, isUnknown: code === 404 || code === 400 }
}
