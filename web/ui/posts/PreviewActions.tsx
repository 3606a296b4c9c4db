import { CalendarClock, Check, Mail, Send, SkipForward, Trash2, Undo2, Users, X } from 'lucide-react'
import { useId } from 'react'
import type { Ability, Post } from '../../../api/contract/index.ts'
import {
  approve,
  reject,
  release,
  retry,
  returnToDraft,
  schedule,
  submit,
  type PostAction,
} from '../../lib/post-actions.ts'
import { useBlocked } from '../../lib/use-agency.ts'
import { Button, type ButtonProps } from '../Button.tsx'
import { PaidButton } from '../PaidButton.tsx'
import { DuplicateLink } from './DuplicateLink.tsx'
import { TextField } from '../TextField.tsx'
import { stepWords } from './step-words.ts'
import { useFurther } from './use-further.tsx'
import { words } from './words.ts'

interface Props {
  readonly post: Pick<Post, 'id' | 'clientId' | 'can' | 'revision' | 'scheduledFor' | 'steps'>
  /** Why a change made elsewhere has made an act impossible; null while it hasn't. */
  readonly refusalOf: (ability: Ability) => string | null
  /** The time that the post gets once it is approved or scheduled; null where it keeps its own. */
  readonly slotNote: string | null
  /** The whole text is shown, so the user approves what was read. */
  readonly isRead: boolean
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly onAct: (action: PostAction) => void
  readonly running: string | null
  readonly onDelete: () => void
  readonly onPublish: () => void
  readonly onDuplicate: (() => void) | undefined
  readonly onMove: () => void
  readonly onSkip: () => void
  readonly onReassign: () => void
  /** Undefined where the post can't be sent for review. */
  readonly onSendForReview: (() => void) | undefined
}

// A finger opens no tooltip, so for it the reason stands beneath.
const paid: readonly Ability[] = ['release', 'retry', 'submit', 'schedule', 'publish-now', 'approve']

/** One of these is what the post is opened for; the others are further acts. */
const main: readonly Ability[] = ['release', 'retry', 'submit', 'schedule', 'reject']

const refusedId = 'refused-reason'
const refusedProps = { isDisabled: true, 'aria-describedby': refusedId } as const

/** The allowed actions: the server's list decides, not this screen. */
export function PreviewActions({ post, refusalOf, slotNote, isRead, reason, onReason, onAct, running, ...on }: Props) {
  const noteId = useId()
  const can = (ability: Ability) => post.can.includes(ability)
  const blocked = useBlocked()
  const isHindered = blocked !== null && paid.some(can)
  // A new time lets a stuck post go.
  const Move = can('release') || can('retry') ? PaidButton : Button
  const refusals = post.can.flatMap((ability) => refusalOf(ability) ?? [])
  const refused = (ability: Ability) => refusalOf(ability) !== null && refusedProps
  const act = (action: PostAction): Pick<ButtonProps, 'onPress' | 'pending' | 'isDisabled'> => ({
    onPress: () => onAct(action),
    pending: running === action.name,
    isDisabled: running !== null && running !== action.name,
    ...post.can.filter((ability) => ability === action.name).map(refused)[0],
  })
  const withNote = slotNote === null ? {} : { 'aria-describedby': noteId }
  const further = useFurther(
    [
      can('delete') && (
        <Button
          key="delete"
          look="dangerQuiet"
          className="mr-auto -ml-2"
          onPress={on.onDelete}
          {...refused('delete')}
          data-testid="button-delete-post"
        >
          <Trash2 aria-hidden />
          {words.delete}
        </Button>
      ),
      <DuplicateLink key="duplicate" post={post} onClick={on.onDuplicate} />,
      can('return-to-draft') && (
        <Button key="return" look="quiet" {...act(returnToDraft)}>
          <Undo2 aria-hidden />
          {words.returnToDraft}
        </Button>
      ),
      on.onSendForReview && (
        <PaidButton key="review" look="quiet" onPress={on.onSendForReview} data-testid="button-send-for-review">
          <Mail aria-hidden />
          {words.sendForReview}
        </PaidButton>
      ),
      can('skip-step') && (
        <Button
          key="skip"
          look="quiet"
          onPress={on.onSkip}
          pending={running === 'skip-step'}
          {...refused('skip-step')}
          data-testid="button-skip-step"
        >
          <SkipForward aria-hidden />
          {stepWords.skip}
        </Button>
      ),
      can('reassign-step') && (
        <Button
          key="reassign"
          look="quiet"
          onPress={on.onReassign}
          pending={running === 'reassign-step'}
          {...refused('reassign-step')}
          data-testid="button-reassign-step"
        >
          <Users aria-hidden />
          {stepWords.reassign}
        </Button>
      ),
      (can('plan') || can('reschedule')) && (
        <Move
          key="move"
          look="quiet"
          onPress={on.onMove}
          {...refused(can('plan') ? 'plan' : 'reschedule')}
          data-testid="button-move-post"
        >
          <CalendarClock aria-hidden />
          {words.move}
        </Move>
      ),
      can('publish-now') && (
        <PaidButton
          key="publish"
          look="quiet"
          onPress={on.onPublish}
          pending={running === 'publish-now'}
          isDisabled={!isRead || (running !== null && running !== 'publish-now')}
          {...refused('publish-now')}
          data-testid="button-publish-now"
        >
          <Send aria-hidden />
          {words.publishNow}
        </PaidButton>
      ),
    ],
    main.some(can) ? 0 : 2,
  )
  return (
    <>
      {slotNote !== null && (
        <p id={noteId} className="basis-full text-right text-sm text-quiet" data-testid="slot-note">
          {slotNote}
        </p>
      )}
      {further.behind}
      {!can('reject') && further.more}
      {further.inSight}
      {can('release') && <PaidButton {...act(release(post))}>{words.release}</PaidButton>}
      {can('retry') && <PaidButton {...act(retry)}>{words.tryAgain}</PaidButton>}
      {can('submit') && (
        <PaidButton {...act(submit)} data-testid="button-submit-post">
          {words.submit}
        </PaidButton>
      )}
      {can('schedule') && (
        <PaidButton
          look="primary"
          {...act(schedule)}
          isDisabled={!isRead || refusalOf('schedule') !== null || (running !== null && running !== 'schedule')}
          {...withNote}
          {...refused('schedule')}
          data-testid="button-schedule-post"
        >
          {words.schedule}
        </PaidButton>
      )}
      {can('reject') && (
        <div className="flex w-full flex-wrap items-end justify-end gap-2 sm:w-auto">
          <TextField label={words.rejectReason} value={reason} onChange={onReason} className="w-full sm:w-64" />
          {further.more}
          <Button {...act(reject(reason))} data-testid="button-reject">
            <X aria-hidden />
            {words.reject}
          </Button>
          {can('approve') && (
            <PaidButton
              look="primary"
              {...act(approve(post))}
              isDisabled={!isRead || refusalOf('approve') !== null || (running !== null && running !== 'approve')}
              {...withNote}
              {...refused('approve')}
              data-testid="button-approve"
            >
              <Check aria-hidden />
              {words.approve}
            </PaidButton>
          )}
        </div>
      )}
      {refusals.length > 0 && (
        <p id={refusedId} className="basis-full text-right text-sm text-rejected-ink" data-testid="refused-reason">
          {refusals[0]}
        </p>
      )}
      {isHindered && (
        <p
          className="hidden basis-full text-right text-sm text-rejected-ink pointer-coarse:block"
          data-testid="blocked-reason"
        >
          {blocked}
        </p>
      )}
    </>
  )
}
