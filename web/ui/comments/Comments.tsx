/** The threads on a post, and the form for a new comment. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Post, PostComment, PostComments } from '../../../api/contract/index.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { useMay } from '../../lib/use-agency.ts'
import { LoadError } from '../LoadError.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { audienceStyle } from './AudienceChoice.tsx'
import { CommentForm } from './CommentForm.tsx'
import { CommentItem } from './CommentItem.tsx'
import type { Mentionable } from './mentions.ts'
import { commentsQuery } from './queries.ts'
import { words } from './words.ts'

interface Props {
  readonly post: Pick<Post, 'id' | 'clientId' | 'revision'>
  readonly zone: string
}

const noMembers: readonly never[] = []

export default function Comments({ post, zone }: Props) {
  const { data, error, isFetching, refetch } = useQuery(commentsQuery(post.id, post.revision))
  const members = useQuery(teamQuery).data?.members ?? noMembers
  const mayComment = useMay('writer')
  const [replyingTo, setReplyingTo] = useState<string | null>(null)
  if (error && !isFetching) return <LoadError what={words.theComments} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div>
        <output className="sr-only">{words.loading}</output>
        <Skeleton className="h-24 w-full" />
      </div>
    )
  const people = members.filter(({ isMe, clients }) => !isMe && (clients === 'all' || clients.includes(post.clientId)))
  const threads = data.comments.filter(({ parentId }) => parentId === null)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {threads.length === 0 ? (
        <p className="text-quiet">{words.none}</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {threads.map((comment) => (
            <Thread
              key={comment.id}
              {...{ comment, of: data, people, zone }}
              postId={post.id}
              isReplying={replyingTo === comment.id}
              onReply={(isReplying) => setReplyingTo(isReplying ? comment.id : null)}
            />
          ))}
        </ol>
      )}
      {mayComment && <CommentForm postId={post.id} of={data} people={people} />}
    </div>
  )
}

interface ThreadProps {
  readonly postId: string
  readonly comment: PostComment
  readonly of: PostComments
  readonly people: readonly Mentionable[]
  readonly zone: string
  readonly isReplying: boolean
  readonly onReply: (isReplying: boolean) => void
}

function Thread({ comment, isReplying, onReply, ...rest }: ThreadProps) {
  const replies = rest.of.comments.filter(({ parentId }) => parentId === comment.id)
  return (
    <li
      className={`flex min-w-0 flex-col gap-3 rounded-control border border-l-4 border-line p-3 ${audienceStyle(comment.audience)}`}
      data-testid="thread"
      data-audience={comment.audience}
    >
      <CommentItem {...rest} comment={comment} onReply={() => onReply(true)} />
      {replies.length > 0 && (
        <ol className="flex flex-col gap-3 border-l border-n6 pl-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentItem {...rest} comment={reply} onReply={() => onReply(true)} />
            </li>
          ))}
        </ol>
      )}
      {isReplying && (
        <CommentForm
          postId={rest.postId}
          of={rest.of}
          people={rest.people}
          parent={comment}
          onDone={() => onReply(false)}
        />
      )}
    </li>
  )
}
