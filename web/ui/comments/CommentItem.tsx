/** One comment: who wrote it, for whom, what it is about, and what the reader may do with it. */
import { useState } from 'react'
import type { PostComment, PostComments } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { onActError } from '../../lib/query-client.ts'
import { Button } from '../Button.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { Difference } from '../posts/Difference.tsx'
import { usePostAction, type PostAction } from '../../lib/post-actions.ts'
import { toast } from '../toast.ts'
import { AudienceBadge } from './AudienceChoice.tsx'
import { EarlierVersion } from './EarlierVersion.tsx'
import { EditComment } from './EditComment.tsx'
import type { Mentionable } from './mentions.ts'
import { pointsIn, quoteOf } from './place.ts'
import { readAgain } from './queries.ts'
import { words } from './words.ts'

interface Props {
  readonly postId: string
  readonly comment: PostComment
  readonly of: PostComments
  readonly people: readonly Mentionable[]
  readonly zone: string
  readonly onReply: () => void
}

export function CommentItem({ postId, comment, of, people, zone, onReply }: Props) {
  const [act, setAct] = useState<'edit' | 'remove' | 'removing' | null>(null)
  const { author, can, text } = comment
  const { run, running } = usePostAction()
  const remove = async () => {
    setAct('removing')
    try {
      await call('DELETE /api/posts/{id}/comments/{commentId}', { params: { id: postId, commentId: comment.id } })
      await readAgain(postId)
    } catch (error) {
      onActError(error)
      toast({ title: words.notRemoved, description: errorText(error), variant: 'destructive' })
    }
    setAct(null)
  }
  return (
    <article className="flex min-w-0 flex-col gap-1.5" data-testid="comment" data-state={comment.state}>
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <strong dir="auto" className="min-w-0 font-semibold wrap-anywhere">
          {author.name}
        </strong>
        <span className="tabular text-sm text-quiet">
          {formatDateTime(comment.postedAt, zone)}
          {comment.editedAt !== null && ` · ${words.edited}`}
        </span>
        {comment.parentId === null && <AudienceBadge audience={comment.audience} />}
      </header>
      {comment.state === 'shown' && <About postId={postId} comment={comment} of={of} />}
      {act === 'edit' ? (
        <EditComment postId={postId} comment={comment} people={people} onDone={() => setAct(null)} />
      ) : text === '' ? null : (
        <p dir="auto" className={`prose-post ${text === null ? 'text-quiet italic' : ''}`}>
          {text ?? (comment.state === 'removed' ? words.removed : words.erased)}
        </p>
      )}
      {comment.suggestion && <Suggested suggestion={comment.suggestion} content={of.content} />}
      {can.includes('take-over') && (
        <Button
          size="sm"
          className="self-start"
          pending={running !== null}
          onPress={() => run(postId, takeOver(comment.id), () => void readAgain(postId))}
          data-testid="button-take-over"
        >
          {words.takeOver}
        </Button>
      )}
      {can.some((each) => each !== 'take-over') && act !== 'edit' && (
        <div className="-ml-2 flex flex-wrap gap-1">
          {can.includes('reply') && (
            <Button look="quiet" size="sm" aria-label={words.replyTo(author.name)} onPress={onReply}>
              {words.reply}
            </Button>
          )}
          {can.includes('edit') && (
            <Button look="quiet" size="sm" aria-label={words.editOf(author.name)} onPress={() => setAct('edit')}>
              {words.edit}
            </Button>
          )}
          {can.includes('remove') && (
            <Button look="quiet" size="sm" aria-label={words.removeOf(author.name)} onPress={() => setAct('remove')}>
              {words.remove}
            </Button>
          )}
        </div>
      )}
      {(act === 'remove' || act === 'removing') && (
        <ConfirmDialog
          open
          onClose={() => setAct(null)}
          title={words.removeTitle}
          action={words.remove}
          pending={act === 'removing'}
          onConfirm={() => void remove()}
        >
          {words.removeText}
        </ConfirmDialog>
      )}
    </article>
  )
}

/** The post as it then is has another text, and maybe another status. */
const takeOver = (commentId: string): PostAction => ({
  name: 'take-over',
  async send(id) {
    await call('POST /api/posts/{id}/comments/{commentId}/take-over', { params: { id, commentId } })
    return call('GET /api/posts/{id}', { params: { id } })
  },
  done: words.takenOver,
  failed: words.notTakenOver,
})

type AboutProps = Pick<Props, 'postId' | 'comment' | 'of'>

function About({ postId, comment, of }: AboutProps) {
  const { anchor } = comment
  if (anchor === null) return null
  if (comment.isEarlierVersion) return <EarlierVersion postId={postId} commentId={comment.id} anchor={anchor} />
  const number = pointsIn(of.comments).findIndex(({ id }) => id === comment.id) + 1
  return (
    <p dir="auto" className="border-l-2 border-n6 pl-2 text-sm text-quiet wrap-anywhere" data-testid="comment-about">
      {anchor.kind === 'range' ? words.aboutText(quoteOf(of.content, anchor)) : words.point(number)}
    </p>
  )
}

interface SuggestedProps {
  readonly suggestion: NonNullable<PostComment['suggestion']>
  readonly content: string
}

const Suggested = ({ suggestion: { text, state }, content }: SuggestedProps) => (
  <div data-testid="suggestion">
    <p className="text-sm font-medium">
      {words.suggested}
      {state !== 'open' && (
        <span className="font-normal text-quiet">{` · ${state === 'taken' ? words.taken : words.outdated}`}</span>
      )}
    </p>
    <Difference before={state === 'open' ? content : text} after={text} />
  </div>
)
