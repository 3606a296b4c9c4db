import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Post, PostCard, SocialAccount } from '../../../api/contract/index.ts'
import { formatDateTime, zoneLabel } from '../../lib/dates.ts'
import { publishNow, reassignStep, remove, skipStep, usePostAction, type PostAction } from '../../lib/post-actions.ts'
import { platformLook } from '../../lib/platforms.ts'
import { priceLine } from '../../lib/post-problems.ts'
import { openStepOf } from '../../lib/steps.ts'
import { useMay } from '../../lib/use-agency.ts'
import { useNewerPost } from '../../lib/use-newer-post.ts'
import { useWholePost } from '../../lib/use-whole-post.ts'
import { CommentsSection } from '../comments/CommentsSection.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'
import { LoadError } from '../LoadError.tsx'
import { AssignTo } from './AssignTo.tsx'
import { History } from './History.tsx'
import { NetworkPreview } from './NetworkPreview.tsx'
import { changeWords, overtakenReason, refusalFor } from './newer.ts'
import { NewerLine } from './NewerLine.tsx'
import { PreviewActions } from './PreviewActions.tsx'
import { PublishNow } from './PublishNow.tsx'
import { ReceiptsLink } from './ReceiptsLink.tsx'
import { ResolvePanel } from './ResolvePanel.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { StepRail } from './StepRail.tsx'
import { useSlotNote } from './use-slot-note.ts'
import { WhyNot } from './WhyNot.tsx'
import WhenDialog from './WhenDialog.tsx'
import { words } from './words.ts'

const SkipStep = lazyDialog(() => import('./SkipStep.tsx'))
const ReassignStep = lazyDialog(() => import('./ReassignStep.tsx'))
const SendForReview = lazyDialog(() => import('../review/SendForReview.tsx'))

interface Props {
  readonly card: PostCard
  readonly account: SocialAccount | undefined
  readonly zone: string
  readonly onClose: () => void
  /** Before the link to a copy of it is followed. */
  readonly onDuplicate?: (() => void) | undefined
}

// Done with: the button that was pressed goes, and the focus would go with it.
const closing: readonly string[] = [
  'approve',
  'skip-step',
  'reassign-step',
  'submit',
  'publish-now',
  'return-to-draft',
  'resolve',
  'retry',
  'release',
]

/** Reasons that are on their way: one that could not be sent is still there when the post is opened again. */
const sending = new Map<string, string>()

export default function PreviewDialog({ card, account, zone, onClose, onDuplicate }: Props) {
  const whole = useWholePost(card)
  // The post as it was asked for after a change elsewhere; the list stays as it was read.
  const [asked, setAsked] = useState<Post | null>(null)
  const loaded = asked && asked.revision > (whole.post ?? card).revision ? asked : whole.post
  // Until its text is here, everything else is what the list says.
  const post: Omit<Post, 'content'> = loaded ?? card
  const text = loaded?.content
  const told = useNewerPost(post)
  // What a refusal of Publish now led to, where the stream has not told of the change.
  const [found, setFound] = useState<Post | null>(null)
  const newer = told ?? (found && found.revision > post.revision ? found : null)
  const [asking, setAsking] = useState<'delete' | 'publish' | 'when' | 'skip' | 'reassign' | 'review' | null>(null)
  const [reason, setReason] = useState(() => sending.get(post.id) ?? '')
  const { run, running } = usePostAction()
  const slotNote = useSlotNote(post, zone)
  const openStep = openStepOf(post.steps)
  const sendsForReview = useMay('manager') && post.status === 'pending'
  const close = () => {
    sending.delete(post.id)
    onClose()
  }
  const act = (action: PostAction) => {
    if (action.expected === undefined) return run(post.id, action, closing.includes(action.name) ? onClose : undefined)
    // The expected result is shown already.
    if (action.name === 'reject') sending.set(post.id, reason)
    const send = async (id: string) => {
      const reply = await action.send(id)
      sending.delete(id)
      return reply
    }
    run(post.id, { ...action, send })
    onClose()
    keepPlace()
  }
  const price =
    post.status === 'published' || text === undefined
      ? undefined
      : priceLine(post.platform, text, account?.network ?? null)
  const name = account?.accountName ?? platformLook[post.platform].name
  return (
    <>
      <FormDialog
        unsaved={reason.trim() !== '' && post.can.includes('reject')}
        onClose={close}
        title={words.postPreview}
        width="wide"
        footer={
          <PreviewActions
            post={post}
            refusalOf={(ability) => refusalFor(post, newer, ability)}
            slotNote={slotNote}
            isRead={text !== undefined}
            reason={reason}
            onReason={setReason}
            onAct={act}
            running={running?.action.name ?? null}
            onDelete={() => setAsking('delete')}
            onDuplicate={onDuplicate}
            onPublish={() => setAsking('publish')}
            onMove={() => setAsking('when')}
            onSkip={() => setAsking('skip')}
            onReassign={() => setAsking('reassign')}
            onSendForReview={sendsForReview ? () => setAsking('review') : undefined}
          />
        }
      >
        <NewerLine
          what={newer === null ? null : changeWords(loaded ?? post, newer, zone)}
          onShow={newer === null || newer === 'deleted' ? undefined : () => setAsked(newer)}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[minmax(0,1fr)_20rem] md:grid-rows-[auto_1fr]">
          <div className="flex min-w-0 flex-col gap-6 md:col-start-2">
            <Facts post={post} zone={zone} price={price} />
            <StepRail steps={post.steps} />
            {(post.status === 'approved' || post.status === 'scheduled' || post.status === 'published') && (
              <WhyNot post={post} account={account} zone={zone}>
                {(delivery) =>
                  post.can.includes('resolve') && (
                    <ResolvePanel
                      platform={post.platform}
                      evidence={delivery?.evidence ?? null}
                      attemptId={delivery?.attempts.at(-1)?.attemptId ?? null}
                      zone={zone}
                      onAct={act}
                      running={running?.action.name ?? null}
                    />
                  )
                }
              </WhyNot>
            )}
          </div>
          <div className="mx-auto flex w-full max-w-form flex-col gap-6 md:col-start-1 md:row-span-2 md:row-start-1">
            {whole.error === null || text !== undefined ? (
              <NetworkPreview platform={post.platform} accountName={name} content={text} imageUrl={post.imageUrl} />
            ) : (
              <LoadError what={words.theText} error={whole.error} onRetry={whole.retry} />
            )}
            <CommentsSection post={post} zone={zone} />
          </div>
          <section aria-labelledby="history-title" className="min-w-0 md:col-start-2">
            {/* Above the history: loading that moves everything below. */}
            <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-4">
              <h3 id="history-title" className="mr-auto font-semibold">
                {words.history}
              </h3>
              <ReceiptsLink postId={post.id} revision={post.revision} zone={zone} />
              <Link
                to="/audit"
                search={{ post: post.id }}
                className="text-sm font-medium text-accent-ink underline underline-offset-4"
              >
                {words.openAudit}
              </Link>
            </div>
            <History postId={post.id} revision={post.revision} zone={zone} />
          </section>
        </div>
      </FormDialog>
      {asking === 'when' && <WhenDialog post={post} price={price} zone={zone} onClose={() => setAsking(null)} />}
      {asking === 'skip' && openStep && (
        <SkipStep
          step={openStep.name}
          pending={running?.action.name === 'skip-step'}
          onSkip={(why) => act(skipStep(openStep.id, why))}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'reassign' && openStep && (
        <ReassignStep
          step={openStep}
          clientId={post.clientId}
          pending={running?.action.name === 'reassign-step'}
          onReassign={(memberIds, why) => act(reassignStep(openStep.id, memberIds, why))}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'review' && (
        <SendForReview clientId={post.clientId} postIds={[post.id]} onClose={() => setAsking(null)} />
      )}
      {asking === 'publish' && (
        <PublishNow
          post={post}
          account={name}
          refusal={overtakenReason(post, newer)}
          onConfirm={() => {
            setAsking(null)
            act(publishNow(post.revision, setFound))
          }}
          onClose={() => setAsking(null)}
        />
      )}
      <ConfirmDialog
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={words.deleteTitle}
        action={words.delete}
        pending={running?.action.name === 'delete'}
        onConfirm={() => act(remove)}
      >
        {post.status === 'published' ? words.deletePublished(platformLook[post.platform].title) : words.deleteText}
      </ConfirmDialog>
    </>
  )
}

/**
 * The card that it was opened from may be in another list by now: the keyboard then goes on at the top of the screen.
 */
function keepPlace(): void {
  const look = () => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }
  // Once the dialog has given the focus back, and the list has been drawn anew.
  requestAnimationFrame(() => requestAnimationFrame(look))
}

interface FactsProps {
  readonly post: Omit<Post, 'content'>
  readonly zone: string
  readonly price: string | undefined
}

function Facts({ post, zone, price }: FactsProps) {
  const time = (instant: string) => formatDateTime(instant, zone)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
      <dt className="text-quiet">{words.platform}</dt>
      <dd>{platformLook[post.platform].title}</dd>
      <dt className="text-quiet">{words.status}</dt>
      <dd>
        <StatusBadge status={post.status} />
      </dd>
      <dt className="text-quiet">{words.scheduled}</dt>
      <dd className="tabular" title={zoneLabel(zone, post.scheduledFor)}>
        {post.scheduledFor === null ? words.atNextSlot : time(post.scheduledFor)}
      </dd>
      <AssignTo post={post} />
      {price !== undefined && (
        <>
          <dt className="self-start text-quiet">{words.price}</dt>
          <dd data-testid="post-price">{price}</dd>
        </>
      )}
      {post.publishedAt !== null && (
        <>
          <dt className="text-quiet">{words.published}</dt>
          <dd className="tabular">{time(post.publishedAt)}</dd>
        </>
      )}
      {post.rejectionReason !== null && (
        <>
          <dt className="self-start text-quiet">{words.reason}</dt>
          <dd className="wrap-anywhere">{post.rejectionReason}</dd>
        </>
      )}
    </dl>
  )
}
