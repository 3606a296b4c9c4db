/** "Why isn't it posted?": in plain words, with the act that helps and every attempt so far. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Attempt, Post, PostDelivery, SocialAccount } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { platformLook } from '../../lib/platforms.ts'
import { deliveryQuery } from '../../lib/queries.ts'
import { AnchorButton, Button } from '../Button.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { DeliveryNote } from './DeliveryNote.tsx'
import { accountWords, deliveryWords, type DeliveryWords } from './status.ts'

interface Props {
  readonly post: Post
  readonly account: SocialAccount | undefined
  readonly zone: string
  /** What a person does about it here. */
  readonly children?: ReactNode
}

export function WhyNot({ post, account, zone, children }: Props) {
  const delivery = useQuery(deliveryQuery(post.id))
  const isLive = post.status === 'published'
  return (
    <section aria-labelledby="why-not-title" data-testid="why-not">
      <h3 id="why-not-title" className="mb-2 font-semibold">
        {isLive ? 'Publishing' : "Why isn't it posted?"}
      </h3>
      {delivery.isPending && <Skeleton className="h-16" />}
      {delivery.isError && (
        <p className="text-quiet" role="alert">
          {`This could not be loaded. ${errorText(delivery.error)} `}
          <Button look="link" size="inline" onPress={() => void delivery.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {delivery.isSuccess && <Answer post={post} account={account} zone={zone} delivery={delivery.data} />}
      {children}
      {delivery.isSuccess && <Attempts attempts={delivery.data.attempts} zone={zone} shownUrl={post.url} />}
    </section>
  )
}

function Answer({ post, account, zone, delivery }: Omit<Props, 'children'> & { readonly delivery: PostDelivery }) {
  const { sentence, act } = delivery
  const { tone, title } = headline(post, account, zone, delivery)
  const looksAt = (act === 'resolve' || act === 'check') && account !== undefined ? account.accountUrl : null
  const where = post.status === 'published' ? post.url : looksAt
  return (
    <>
      <DeliveryNote tone={tone} title={title}>
        <p className="mt-0.5 wrap-anywhere" data-testid="why-sentence">
          {sentence}
        </p>
        {where !== null && (
          <a href={where} target="_blank" rel="noreferrer" className="mt-1 inline-block font-medium underline underline-offset-4">
            {post.status === 'published' ? `See it on ${platformLook[post.platform].name}` : `Open the profile on ${platformLook[post.platform].name}`}
          </a>
        )}
      </DeliveryNote>
      {act === 'reconnect' && (
        <AnchorButton className="mt-3" href={`/api/social-accounts/${encodeURIComponent(post.socialAccountId)}/connect`}>
          Connect the Account
        </AnchorButton>
      )}
    </>
  )
}

/** How it stands, in a few words above the sentence that explains it. */
function headline(post: Post, account: SocialAccount | undefined, zone: string, { at, act }: PostDelivery): { readonly tone: DeliveryWords['tone'] | 'live'; readonly title: string } {
  if (post.status === 'published') return { tone: 'live', title: 'Published' }
  const words = deliveryWords(post, zone) ?? accountWords(post, account, zone)
  if (words) return { tone: words.tone, title: words.state }
  if (act === 'reconnect') return { tone: 'pending', title: 'Not connected' }
  if (at === null) return { tone: 'scheduled', title: 'On its way' }
  return at === post.scheduledFor ? { tone: 'scheduled', title: 'On its way' } : { tone: 'pending', title: `Waits until ${formatSoon(at, zone)}` }
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

interface AttemptsProps {
  readonly attempts: readonly Attempt[]
  readonly zone: string
  /** Where the post can be seen, which is said above. */
  readonly shownUrl: string | null
}

function Attempts({ attempts, zone, shownUrl }: AttemptsProps) {
  if (attempts.length === 0) return null
  const newestFirst = attempts.toReversed()
  const older = newestFirst.slice(shownAtOnce)
  const item = (attempt: Attempt) => <AttemptItem key={attempt.attemptId} attempt={attempt} zone={zone} shownUrl={shownUrl} />
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

function AttemptItem({ attempt, zone, shownUrl }: Omit<AttemptsProps, 'attempts'> & { readonly attempt: Attempt }) {
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
      {url !== null && url !== shownUrl && (
        <a href={url} target="_blank" rel="noreferrer" className="mt-0.5 inline-block text-accent-ink underline underline-offset-4">
          See it there
        </a>
      )}
    </li>
  )
}
