import { useQuery } from '@tanstack/react-query'
import type { Attempt, Post } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { deliveryQuery } from '../../lib/queries.ts'
import { AnchorButton, Button } from '../Button.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { DeliveryNote } from './DeliveryNote.tsx'

interface Props {
  readonly post: Post
  readonly zone: string
}

/** "Why isn't it posted?": in plain words, with the act that helps and every attempt so far. */
export function WhyNot({ post, zone }: Props) {
  const delivery = useQuery(deliveryQuery(post.id))
  const isLive = post.status === 'published'
  return (
    <section aria-labelledby="why-not-title" data-testid="why-not">
      <h3 id="why-not-title" className="mb-2 font-semibold">
        {isLive ? 'Publishing' : "Why isn't it posted?"}
      </h3>
      <DeliveryNote post={post} zone={zone} brief />
      {delivery.isPending && <Skeleton className="mt-2 h-12" />}
      {delivery.isError && (
        <p className="mt-2 text-quiet" role="alert">
          {`This could not be loaded. ${errorText(delivery.error)} `}
          <Button look="link" size="inline" onPress={() => void delivery.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {delivery.isSuccess && (
        <>
          <p className="mt-2 wrap-anywhere">
            {delivery.data.sentence}
            {delivery.data.at !== null && <span className="tabular">{` ${formatSoon(delivery.data.at, zone)}.`}</span>}
          </p>
          {delivery.data.act === 'reconnect' && (
            <AnchorButton className="mt-3" href={`/api/social-accounts/${encodeURIComponent(post.socialAccountId)}/connect`}>
              Connect the Account
            </AnchorButton>
          )}
          <Attempts attempts={delivery.data.attempts} zone={zone} />
        </>
      )}
    </section>
  )
}

const outcomes: Readonly<Record<Attempt['outcome'], string>> = {
  'under-way': 'Being sent',
  live: 'Live',
  'turned-down': 'Turned down for now',
  failed: 'Failed',
  unknown: 'Outcome unknown',
  'not-live': 'Not live',
}

const shownAtOnce = 3

function Attempts({ attempts, zone }: { readonly attempts: readonly Attempt[]; readonly zone: string }) {
  if (attempts.length === 0) return null
  const newestFirst = attempts.toReversed()
  const older = newestFirst.slice(shownAtOnce)
  const item = (attempt: Attempt) => <AttemptItem key={attempt.attemptId} attempt={attempt} zone={zone} />
  return (
    <>
      <ul aria-label="Attempts to publish" className="mt-3 flex flex-col gap-2 text-sm">
        {newestFirst.slice(0, shownAtOnce).map(item)}
      </ul>
      {older.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="w-fit cursor-pointer text-quiet hover:text-ink">{`${older.length} earlier`}</summary>
          <ul aria-label="Earlier attempts to publish" className="mt-2 flex flex-col gap-2">
            {older.map(item)}
          </ul>
        </details>
      )}
    </>
  )
}

function AttemptItem({ attempt, zone }: { readonly attempt: Attempt; readonly zone: string }) {
  const { number, at, outcome, cause, retryAt, url } = attempt
  return (
    <li data-testid="attempt" className="rounded-control bg-n3 px-3 py-2">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{`Attempt ${number}: ${outcomes[outcome]}`}</span>
        <time dateTime={at} className="tabular text-quiet">
          {formatDateTime(at, zone)}
        </time>
      </p>
      {cause !== null && <p className="mt-0.5 wrap-anywhere text-quiet">{cause}</p>}
      {retryAt !== null && <p className="tabular mt-0.5 text-quiet">{`Next try ${formatSoon(retryAt, zone)}`}</p>}
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer" className="mt-0.5 inline-block text-accent-ink underline underline-offset-4">
          See it there
        </a>
      )}
    </li>
  )
}
