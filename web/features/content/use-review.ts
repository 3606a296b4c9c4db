/** State of the review queue: the current post, the selected ones, and the results. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostCard } from '../../../api/contract/index.ts'
import { review, timesSentence, type Judgement } from '../../lib/review.ts'
import { postsWords } from '../../lib/words.ts'
import { useZone } from '../../lib/use-agency.ts'
import { readRevision } from '../../lib/use-whole-post.ts'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Asked {
  readonly posts: readonly PostCard[]
  /** The list at that time: the refetched one lacks the posts that were judged. */
  readonly among: readonly PostCard[]
  readonly judgement: Judgement
  /** Posts that are left out, with the reason. */
  readonly blocked?: ReadonlyMap<string, string> | undefined
}

export type Reviewing = ReturnType<typeof useReview>

/** Said on the card of a post that was to be approved by the beginning of its text. */
const unreadSentence = words.unread

export function useReview(posts: readonly PostCard[]) {
  const client = useQueryClient()
  const oneAtATime = useOneAtATime()
  const zone = useZone()
  const [currentId, setCurrentId] = useState<string | null>(null)
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [progress, setProgress] = useState(0)
  const at = posts.findIndex(({ id }) => id === currentId)
  const chosen = posts.filter(({ id }) => chosenIds.has(id))
  const current = posts[at]
  /** The posts that a command applies to: the selected ones or, without a selection, the current one. */
  const meant = chosen.length > 0 ? chosen : current ? [current] : []

  function look(to: number): void {
    const post = posts[Math.max(0, Math.min(posts.length - 1, to))]
    if (!post) return
    setCurrentId(post.id)
    focusOn(post.id)
  }

  const judging = useMutation({
    mutationFn: async ({ posts, judgement, blocked = new Map() }: Asked) => {
      const some = posts.filter(({ id }) => !blocked.has(id))
      const seen = some.map((post) => ({
        id: post.id,
        revision: judgement.status === 'approved' ? readRevision(client, post) : post.revision,
      }))
      const unread = seen.filter(({ revision }) => revision === null)
      const judged = await review(
        seen.flatMap(({ id, revision }) => (revision === null ? [] : [{ id, revision }])),
        judgement,
        setProgress,
      )
      return {
        done: judged.done,
        steps: judged.steps,
        times: judged.times,
        refused: new Map([...blocked, ...judged.refused, ...unread.map(({ id }) => [id, unreadSentence] as const)]),
      }
    },
    onMutate: () => setProgress(0),
    onSuccess: ({ done, steps, times, refused: not }, { posts: some, among, judgement }) => {
      setRefused(not)
      setChosenIds(new Set(not.keys()))
      const gone = new Set(done)
      const rest = among.filter(({ id }) => !gone.has(id))
      const first = among.findIndex(({ id }) => id === some[0]?.id)
      // The posts after them move up.
      const next = rest[Math.min(among.slice(0, first).filter(({ id }) => !gone.has(id)).length, rest.length - 1)]
      setCurrentId(next?.id ?? null)
      if (next && done.length > 0) requestAnimationFrame(() => focusOn(next.id))
      say(
        judgement,
        done.length,
        steps.length,
        not.size,
        judgement.status === 'approved' ? timesSentence(times, zone) : null,
      )
    },
  })

  return {
    currentId,
    chosen,
    meant,
    refused,
    isChosen: (id: string) => chosenIds.has(id),
    choose: (id: string, on: boolean) => {
      const next = new Set(chosenIds)
      if (on) next.add(id)
      else next.delete(id)
      setChosenIds(next)
      setCurrentId(id)
    },
    chooseAll: (on: boolean) => setChosenIds(new Set(on ? posts.map(({ id }) => id) : [])),
    next: () => look(at + 1),
    previous: () => look(at < 0 ? 0 : at - 1),
    /** Posts whose text was not read whole, with the reason. */
    unread: () =>
      new Map(
        meant.flatMap((post) => (readRevision(client, post) === null ? [[post.id, unreadSentence] as const] : [])),
      ),
    judge: (judgement: Judgement, onDone?: () => void, blocked?: ReadonlyMap<string, string>) => {
      if (meant.length === 0) return
      // A second press in the same instant comes before a render says that the first is under way.
      oneAtATime(() =>
        judging.mutateAsync({ posts: meant, among: posts, judgement, blocked }, { onSettled: () => onDone?.() }),
      )
    },
    /** The command in progress, with its progress. */
    running: judging.isPending
      ? { status: judging.variables.judgement.status, done: progress, of: judging.variables.posts.length }
      : null,
  }
}

function focusOn(id: string): void {
  const card = document.querySelector<HTMLElement>(`main [data-post-id="${id}"]`)
  card?.focus({ preventScroll: true })
  card?.scrollIntoView({ block: 'nearest' })
}

function say({ status }: Judgement, done: number, steps: number, refused: number, times: string | null): void {
  const isApproved = status === 'approved'
  if (refused === 0 && steps > 0)
    return toast({
      title: steps < done ? words.judged(postsWords(done - steps), isApproved) : words.stepApproved,
      description: words.waitOn(steps, postsWords(steps)),
      ...(times !== null && { detail: times }),
    })
  if (refused === 0)
    return toast({
      title: words.judged(postsWords(done), isApproved),
      description: words.outcome(done, isApproved),
      ...(times !== null && { detail: times }),
    })
  toast({
    title: words.error,
    description: words.refused(refused, postsWords(done + refused), isApproved),
    detail: words.why(refused),
    variant: 'destructive',
  })
}
