/**
 * The newer state of a post that a dialog shows, once the stream told that the post changed. The dialog stays as it was
 * read until the user asks for the newer state; lists stay in any case.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Post } from '../../api/contract/index.ts'
import { call } from './call.ts'
import { statusOf } from './error-text.ts'
import { listPositions } from './list-positions.ts'

/** Several changes in a row are one question. */
const pauseMs = 300

interface Shown {
  readonly id: string
  /** Null while the post is still loaded. */
  readonly revision: number | null
}

/** `null`: nothing newer is known; `deleted`: the post is gone. */
export type NewerPost = Post | 'deleted' | null

export function useNewerPost({ id, revision }: Shown): NewerPost {
  // What comes of this tab's own act is shown by the act.
  const ring = useSyncExternalStore(listPositions.subscribe, () =>
    listPositions.isActing() ? 0 : listPositions.lastRingOfPost(id),
  )
  const [newest, setNewest] = useState<NewerPost>(null)
  useEffect(() => {
    if (ring === 0) return
    let isGone = false
    const timer = setTimeout(() => {
      call('GET /api/posts/{id}', { params: { id } }).then(
        (post) => isGone || setNewest(post),
        (error: unknown) => isGone || statusOf(error) !== 404 || setNewest('deleted'),
      )
    }, pauseMs)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [id, ring])
  if (newest === null || newest === 'deleted') return newest
  return newest.id === id && revision !== null && newest.revision > revision ? newest : null
}
