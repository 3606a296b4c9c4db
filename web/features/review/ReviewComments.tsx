/** The comments on one post of a review, and the field for a new one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { ReviewComment } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { newUuid } from '../../lib/new-uuid.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { ReviewCard } from './card.ts'
import { askedWith, keepSession } from './kept-session.ts'
import { isLongName, nameProblem } from './lengths.ts'
import { words } from './words.ts'

interface Props extends ReviewCard {
  readonly onCount: (count: number) => void
}

const keyOf = (token: string, postId: string) => ['review', token, 'comments', postId] as const

/** Read whole: there are at most 500. */
async function allComments(token: string, postId: string): Promise<readonly ReviewComment[]> {
  const comments: ReviewComment[] = []
  let cursor: string | null = null
  do {
    const at: { readonly cursor?: string } = cursor === null ? {} : { cursor }
    const page: { readonly comments: ReviewComment[]; readonly next: string | null } = await call(
      'POST /api/reviews/comments',
      { body: { ...askedWith(token), postId, ...at } },
    )
    comments.push(...page.comments)
    cursor = page.next
  } while (cursor !== null)
  return comments
}

export default function ReviewComments(props: Props) {
  const { token, post, zone, onCount } = props
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(token, post.id),
    queryFn: () => allComments(token, post.id),
    staleTime: 0,
    gcTime: 0,
  })
  const count = data?.length
  useEffect(() => {
    if (count !== undefined) onCount(count)
  }, [count, onCount])
  if (error && !isFetching) return <LoadError what={words.theComments} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div>
        <output className="sr-only">{words.loadingComments}</output>
        <Skeleton className="h-24" />
      </div>
    )
  const threads = data.filter(({ parentId }) => parentId === null)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {threads.length === 0 ? (
        <p className="text-quiet">{words.noComments}</p>
      ) : (
        <ol className="flex flex-col gap-4">
          {threads.map((comment) => (
            <li key={comment.id} className="flex min-w-0 flex-col gap-3">
              <Said comment={comment} zone={zone} />
              <Replies {...props} parent={comment} replies={data.filter(({ parentId }) => parentId === comment.id)} />
            </li>
          ))}
        </ol>
      )}
      <Write {...props} label={words.writeTo(props.agency)} parentId={null} />
    </div>
  )
}

interface RepliesProps extends ReviewCard {
  readonly parent: ReviewComment
  readonly replies: readonly ReviewComment[]
}

function Replies({ parent, replies, ...card }: RepliesProps) {
  const [isReplying, setReplying] = useState(false)
  const mayReply = parent.state === 'shown'
  if (replies.length === 0 && !mayReply) return null
  return (
    <div className="flex min-w-0 flex-col gap-3 border-l border-n6 pl-3">
      {replies.length > 0 && (
        <ol className="flex flex-col gap-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <Said comment={reply} zone={card.zone} />
            </li>
          ))}
        </ol>
      )}
      {mayReply && !isReplying && (
        <PlainButton
          look="link"
          size="inline"
          className="min-h-8 self-start text-sm!"
          aria-label={words.replyTo(parent.author.name)}
          onPress={() => setReplying(true)}
        >
          {words.reply}
        </PlainButton>
      )}
      {isReplying && (
        <Write
          {...card}
          label={words.replyTo(parent.author.name)}
          parentId={parent.id}
          onDone={() => setReplying(false)}
        />
      )}
    </div>
  )
}

function Said({ comment, zone }: { readonly comment: ReviewComment; readonly zone: string }) {
  const { author, isYours, at, edited, state, text } = comment
  return (
    <article className="min-w-0" data-testid="review-comment">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <strong dir="auto" className="min-w-0 font-semibold wrap-anywhere">
          {isYours ? words.you : author.name}
        </strong>
        <span className="tabular text-sm text-quiet">
          {formatDateTime(at, zone)}
          {edited && ` · ${words.edited}`}
        </span>
      </p>
      <p dir="auto" className={`prose-post ${text === null ? 'text-quiet italic' : ''}`}>
        {text ?? (state === 'removed' ? words.removed : words.erased)}
      </p>
    </article>
  )
}

interface WriteProps extends ReviewCard {
  readonly label: string
  readonly parentId: string | null
  /** Of a reply, whose form then closes. */
  readonly onDone?: () => void
}

function Write({ token, post, agency, asksName, onLook, label, parentId, onDone }: WriteProps) {
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [showsErrors, setShowsErrors] = useState(false)
  // The same comment sent again is one: the id stays until it has arrived.
  const [commentId, setCommentId] = useState(newUuid)
  const send = useMutation({
    mutationFn: async () => {
      if (asksName) {
        const { session } = await call('POST /api/reviews/name', { body: { ...askedWith(token), name: name.trim() } })
        keepSession(token, session)
      }
      const body = { ...askedWith(token), postId: post.id, commentId, parentId, text }
      return call('POST /api/reviews/comment', { body })
    },
    onSuccess: (comment) => {
      queries.setQueryData<readonly ReviewComment[]>(keyOf(token, post.id), (known = []) => [
        ...known.filter(({ id }) => id !== comment.id),
        comment,
      ])
      setText('')
      setShowsErrors(false)
      setCommentId(newUuid())
      onDone?.()
    },
    // The name that is known now, or that the link is over.
    onSettled: onLook,
  })
  const nameError = asksName ? nameProblem(name) : undefined
  const textError = text.trim() === '' ? words.commentMissing : undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (nameError !== undefined || textError !== undefined)
      return void requestAnimationFrame(() => focusFirstError(form.current))
    if (!send.isPending) send.mutate()
  }
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="flex min-w-0 flex-col gap-3">
      {asksName && (
        <TextField
          label={words.yourName}
          value={name}
          onChange={setName}
          autoComplete="name"
          required
          hint={words.nameForComment(agency)}
          error={showsErrors || isLongName(name) ? nameError : undefined}
        />
      )}
      <TextField
        label={label}
        value={text}
        onChange={setText}
        rows={3}
        focusFirst={parentId !== null}
        error={showsErrors ? textError : undefined}
      />
      <ServerError message={send.isError ? errorText(send.error) : null} />
      <div className="flex gap-2">
        {onDone && (
          <PlainButton size="lg" onPress={onDone} disabled={send.isPending}>
            {words.cancel}
          </PlainButton>
        )}
        <PlainButton size="lg" type="submit" pending={send.isPending} data-testid="button-send-comment">
          {send.isPending ? words.sendingNote : words.send}
        </PlainButton>
      </div>
    </form>
  )
}
