/** Commands on a post, with their calls and toasts. */
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Post, Team } from '../../api/contract/index.ts'
import { toast } from '../ui/toast.ts'
import { call, callIf } from './call.ts'
import { formatSoon } from './dates.ts'
import { errorText, statusOf } from './error-text.ts'
import { postActionWords as words } from './post-action-words.ts'
import { applyOptimistic, type Expected } from './optimistic.ts'
import { agencyQuery } from './access-queries.ts'
import { queryClient } from './query-client.ts'
import { afterPostChange, afterPostDelete } from './refetch.ts'
import { isShownHeld, showReply } from './show-reply.ts'
import { openStepOf } from './steps.ts'

interface Said {
  readonly title: string
  readonly description: string
}

export interface PostAction {
  readonly name: string
  /** Answers the post as it is now; nothing when it was deleted. */
  readonly send: (id: string) => Promise<Post | undefined>
  readonly done: Said
  /** Said instead of `done`, by the server's answer. */
  readonly said?: (post: Post) => Said | null
  /** A further line for the toast, from the server's answer. */
  readonly detail?: (post: Post) => string | undefined
  readonly failed: string
  /** Said beneath instead of the server's sentence, when another revision refuses it. */
  readonly overtaken?: string
  readonly deletes?: true
  /** The expected post, where it is known before the server answers. */
  readonly expected?: Expected
}

type Change = Parameters<typeof call<'PATCH /api/posts/{id}'>>[1]['body']

const change = (body: Change) => (id: string) => call('PATCH /api/posts/{id}', { params: { id }, body })

/** The time that the post got: the next free slot, where it had none or one that has passed. */
const timeOf = ({ scheduledFor }: Post) =>
  scheduledFor === null ? undefined : words.scheduledFor(formatSoon(scheduledFor, zoneNow()))

/**
 * Sends the revision that the user read; the server refuses another one. Of a post with steps only the server knows
 * whether the post is approved or one step of it, so nothing is shown before its answer.
 */
export const approve = ({ revision, steps }: Pick<Post, 'revision' | 'steps'>): PostAction => {
  const step = openStepOf(steps)
  const body = { status: 'approved' as const, ...(step && { stepId: step.id }) }
  return {
    name: 'approve',
    send: (id) => callIf('PATCH /api/posts/{id}', revision, { params: { id }, body }),
    ...(steps === null && { expected: { status: 'approved' } }),
    detail: (post) => (post.status === 'approved' ? timeOf(post) : undefined),
    said: (post) => saidOfStep(post, words.step.approved),
    ...words.approve,
  }
}

export const skipStep = (stepId: string, reason: string): PostAction => ({
  name: 'skip-step',
  send: (id) => call('POST /api/posts/{id}/steps/{stepId}/skip', { params: { id, stepId }, body: { reason } }),
  said: (post) => saidOfStep(post, words.step.skipped),
  ...words.approve,
  failed: words.step.failed,
})

export const reassignStep = (stepId: string, memberIds: string[], reason: string): PostAction => ({
  name: 'reassign-step',
  send: (id) =>
    call('POST /api/posts/{id}/steps/{stepId}/reassign', { params: { id, stepId }, body: { memberIds, reason } }),
  said: (post) => saidOfStep(post, words.step.reassigned),
  ...words.approve,
  failed: words.step.notReassigned,
})

/** Who is next, of a post that is still pending; null for one that is approved. */
function saidOfStep(post: Post, title: string): Said | null {
  const step = post.status === 'pending' ? openStepOf(post.steps) : undefined
  return step ? { title, description: words.step.next(step.name, namesOf(step.waitsFor)) } : null
}

const namesOf = (memberIds: readonly string[]): readonly string[] => {
  // The key of the team's query, whose module is loaded with the steps.
  const members = queryClient.getQueryData<Team>(['team'])?.members ?? []
  return members.filter(({ id }) => memberIds.includes(id)).map(({ name }) => name)
}

export const reject = (reason: string): PostAction => ({
  name: 'reject',
  send: change(reason.trim() === '' ? { status: 'rejected' } : { status: 'rejected', reason }),
  expected: { status: 'rejected', rejectionReason: reason.trim() || null },
  ...words.reject,
})

export const schedule: PostAction = {
  name: 'schedule',
  send: change({ status: 'scheduled' }),
  expected: { status: 'scheduled' },
  detail: timeOf,
  ...words.schedule,
}

/**
 * Approves the revision that the user read, for this moment.
 * @param onNewer takes the post as it is now, when another revision refuses it
 */
export const publishNow = (revision: number, onNewer: (post: Post) => void): PostAction => ({
  name: 'publish-now',
  async send(id) {
    try {
      return await callIf('POST /api/posts/{id}/publish', revision, { params: { id } })
    } catch (error) {
      if (statusOf(error) === 412) await call('GET /api/posts/{id}', { params: { id } }).then(onNewer, () => undefined)
      throw error
    }
  },
  ...words.publishNow,
})

export const submit: PostAction = {
  name: 'submit',
  send: change({ status: 'pending' }),
  ...words.submit,
}

/** @param memberId null: unassigns the post */
export const assign = (memberId: string | null): PostAction => ({
  name: 'assign',
  send: change({ assignedTo: memberId }),
  done: memberId === null ? words.assign.none : words.assign.done,
  failed: words.assign.failed,
})
export const returnToDraft: PostAction = {
  name: 'return-to-draft',
  send: change({ status: 'draft' }),
  ...words.returnToDraft,
}

export const remove: PostAction = {
  name: 'delete',
  send: (id) => call('DELETE /api/posts/{id}', { params: { id } }),
  ...words.remove,
  deletes: true,
  expected: null,
}

type RouteWithTime = 'POST /api/posts/{id}/release' | 'POST /api/posts/{id}/retry'

/** A new time. Moving a held post releases it, and moving a failed post retries it. */
export const moveTo = (scheduledFor: string, { can }: Pick<Post, 'can'>): PostAction => ({
  name: 'reschedule',
  send: can.includes('release')
    ? again('POST /api/posts/{id}/release', scheduledFor)
    : can.includes('retry')
      ? again('POST /api/posts/{id}/retry', scheduledFor)
      : change({ scheduledFor }),
  expected: { scheduledFor },
  said: ({ status }) => (status === 'pending' ? words.reschedule.reopened : null),
  ...words.reschedule,
})

const again = (route: RouteWithTime, scheduledFor: string) => (id: string) =>
  call(route, { params: { id }, body: { scheduledFor } })

/** A user's word on an unknown outcome. `attemptId` is that of the attempt that the user was shown. */
type Resolution =
  | { readonly live: false; readonly attemptId: string }
  | { readonly live: string; readonly attemptId: string | null }

export const resolve = (resolution: Resolution): PostAction => ({
  name: 'resolve',
  send: (id) => call('POST /api/posts/{id}/resolve', { params: { id }, body: resolution }),
  done: resolution.live === false ? words.markedNotLive : words.markedLive,
  failed: words.resolveFailed,
})

export const retry: PostAction = {
  name: 'retry',
  send: (id) => call('POST /api/posts/{id}/retry', { params: { id }, body: {} }),
  ...words.retry,
}

/** A post whose time is ahead keeps it; any other goes out now. */
export const release = (before: Pick<Post, 'scheduledFor'>): PostAction => ({
  name: 'release',
  send: (id) => call('POST /api/posts/{id}/release', { params: { id }, body: {} }),
  said: ({ scheduledFor: at }) =>
    at !== null && at === before.scheduledFor ? words.release.planned(formatSoon(at, zoneNow())) : null,
  ...words.release,
})

const zoneNow = () => queryClient.getQueryData(agencyQuery.queryKey)?.timeZone ?? 'UTC'

interface Run {
  readonly id: string
  readonly action: PostAction
}

const acting = ['post-action'] as const
/** Lists changed by commands sent together: the last command refetches them, so that they don't flicker. */
let owed = { changed: false, deleted: false, wasHeld: false }

async function settle(): Promise<void> {
  if (queryClient.isMutating({ mutationKey: acting }) > 1) return
  const { changed, deleted, wasHeld } = owed
  owed = { changed: false, deleted: false, wasHeld: false }
  if (deleted) await afterPostDelete(wasHeld)
  else if (changed) await afterPostChange(wasHeld)
}

export function usePostAction() {
  // A second press in the same instant comes before the button knows that it works.
  const busy = useRef(new Set<string>())
  const mutation = useMutation({
    mutationKey: acting,
    mutationFn: ({ id, action }: Run) => action.send(id),
    onMutate: async ({ id, action }) => {
      const wasHeld = isShownHeld(id)
      return { wasHeld, undo: action.expected === undefined ? null : await applyOptimistic(id, action.expected) }
    },
    onSuccess: async (post, { action }, before) => {
      const wasHeld = owed.wasHeld || before.wasHeld
      if (post) showReply(post)
      owed = action.deletes ? { ...owed, deleted: true, wasHeld } : { ...owed, changed: true, wasHeld }
      await settle()
      const detail = post && action.detail?.(post)
      toast({ ...((post && action.said?.(post)) ?? action.done), ...(detail !== undefined && { detail }) })
    },
    onError: async (error, { action }, before) => {
      before?.undo?.()
      toastFailure(action.failed, error, statusOf(error) === 412 ? action.overtaken : undefined)
      await settle()
    },
    onSettled: (_, __, { id }) => void busy.current.delete(id),
  })
  return {
    run: (id: string, action: PostAction, onDone?: () => void) => {
      if (busy.current.has(id)) return
      busy.current.add(id)
      mutation.mutate({ id, action }, { ...(onDone && { onSuccess: onDone }) })
    },
    /** The action that is under way, and on which post. */
    running: mutation.isPending ? mutation.variables : null,
  }
}

/** The specified words, and the server's sentence beneath. */
export const toastFailure = (description: string, error: unknown, detail = errorText(error)) =>
  toast({ title: words.error, description, detail, variant: 'destructive' })
