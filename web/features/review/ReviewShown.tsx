/** What a review link shows: its posts, a lock, or why there is nothing. */
import type { ReviewingAgency } from '../../../api/contract/index.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { OpenReview } from './OpenReview.tsx'
import { ReviewFrame, Told } from './ReviewFrame.tsx'
import { Unlock } from './Unlock.tsx'
import type { Reviewing } from './use-review.ts'
import { words } from './words.ts'

interface Props {
  /** Null: the address has no whole token. */
  readonly review: (Reviewing & { readonly token: string }) | null
}

export default function ReviewShown({ review }: Props) {
  if (review === null) {
    return (
      <ReviewFrame agency={null}>
        <Told title={words.incomplete} text={words.incompleteText} />
      </ReviewFrame>
    )
  }
  const { token, look, seen, known, put, more } = review
  const again = () => void look.refetch()
  if (look.isError && statusOf(look.error) === 404) {
    return (
      <ReviewFrame agency={null}>
        <Told title={words.unknown} text={words.unknownText} />
      </ReviewFrame>
    )
  }
  if (seen === undefined) {
    return (
      <ReviewFrame agency={null}>
        {look.isError ? (
          <>
            <h1 className="sr-only">{words.plainTitle}</h1>
            <LoadError what={words.thePosts} error={look.error} onRetry={again} />
          </>
        ) : (
          <Loading />
        )}
      </ReviewFrame>
    )
  }
  const { agency } = seen
  switch (seen.state) {
    case 'locked':
      return (
        <ReviewFrame agency={agency}>
          <Unlock token={token} needs={seen.needs} address={seen.address} agency={agency.name} onOpen={again} />
        </ReviewFrame>
      )
    case 'revoked':
    case 'expired':
      return (
        <ReviewFrame agency={agency}>
          <Told title={words.over} text={overText(agency)} />
        </ReviewFrame>
      )
    case 'open':
      return (
        <ReviewFrame agency={agency}>
          <OpenReview
            token={token}
            review={seen}
            known={known}
            onChanged={put}
            onLook={again}
            more={{ ...more, failed: more.hasFailed ? errorText(look.error) : null }}
          />
        </ReviewFrame>
      )
  }
}

const overText = ({ name }: ReviewingAgency) => words.overText(name === '' ? words.justAgency : name)

function Loading() {
  return (
    <div>
      <h1 className="sr-only">{words.plainTitle}</h1>
      <output className="sr-only">{words.loading}</output>
      <Skeleton className="h-8 w-64 max-w-full" />
      <Skeleton className="mt-3 h-5 w-48" />
      <Skeleton className="mt-6 h-96" />
    </div>
  )
}
