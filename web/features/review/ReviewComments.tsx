/** The comments on one post of a review, and the field for a new one. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReviewComment } from '../../../api/contract/index.ts'
import { PinnedImage } from '../../ui/comments/PinnedImage.tsx'
import { pointsIn } from '../../ui/comments/place.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { ReviewCard } from './card.ts'
import { commentsQuery } from './comments-query.ts'
import { SaidComment } from './SaidComment.tsx'
import { words } from './words.ts'
import { WriteComment } from './WriteComment.tsx'

interface Props extends ReviewCard {
  readonly isOpen: boolean
}

export default function ReviewComments({ isOpen, ...card }: Props) {
  const { post, agency } = card
  const { data, error, isFetching, refetch } = useQuery({ ...commentsQuery(card), enabled: isOpen })
  const [isChoosing, setChoosing] = useState(false)
  if (error && !isFetching) return <LoadError what={words.theComments} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div>
        <output className="sr-only">{words.loadingComments}</output>
        <Skeleton className="h-24" />
      </div>
    )
  const threads = data.filter(({ parentId }) => parentId === null)
  const points = pointsIn(data)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {points.length > 0 && post.imageUrl !== null && !isChoosing && (
        <figure aria-label={words.thePoints} data-testid="comment-points">
          <PinnedImage src={post.imageUrl} points={points} />
        </figure>
      )}
      {threads.length === 0 ? (
        <p className="text-quiet">{words.noComments}</p>
      ) : (
        <ol className="flex flex-col gap-4">
          {threads.map((comment) => (
            <li key={comment.id} className="flex min-w-0 flex-col gap-3">
              <SaidComment card={card} comment={comment} all={data} />
              <Replies {...card} parent={comment} all={data} />
            </li>
          ))}
        </ol>
      )}
      {post.can.includes('comment') && (
        <WriteComment
          {...card}
          label={words.writeTo(agency)}
          parentId={null}
          places={{ comments: data, isChoosing, onChoosing: setChoosing }}
        />
      )}
    </div>
  )
}

interface RepliesProps extends ReviewCard {
  readonly parent: ReviewComment
  readonly all: readonly ReviewComment[]
}

function Replies({ parent, all, ...card }: RepliesProps) {
  const [isReplying, setReplying] = useState(false)
  const replies = all.filter(({ parentId }) => parentId === parent.id)
  const mayReply = parent.state === 'shown' && card.post.can.includes('comment')
  if (replies.length === 0 && !mayReply) return null
  return (
    <div className="flex min-w-0 flex-col gap-3 border-l border-n6 pl-3">
      {replies.length > 0 && (
        <ol className="flex flex-col gap-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <SaidComment card={card} comment={reply} all={all} />
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
        <WriteComment
          {...card}
          label={words.replyTo(parent.author.name)}
          parentId={parent.id}
          onDone={() => setReplying(false)}
        />
      )}
    </div>
  )
}
