/** Why a post isn't live: in plain words, with the act that helps and every attempt so far. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Post, PostDelivery, SocialAccount } from '../../../api/contract/index.ts'
import { formatSoon } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { platformLook } from '../../lib/platforms.ts'
import { deliveryQuery } from '../../lib/queries.ts'
import { Button } from '../Button.tsx'
import { wayBack } from '../../lib/way-back.ts'
import { AnchorButton } from '../LinkButton.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { Attempts } from './Attempts.tsx'
import { DeliveryNote } from './DeliveryNote.tsx'
import { accountWords, deliveryWords, type DeliveryWords } from './status.ts'
import { words } from './delivery-words.ts'

interface Props {
  readonly post: Omit<Post, 'content'>
  readonly account: SocialAccount | undefined
  readonly zone: string
  /** The action that a user can take here; undefined until the delivery is loaded. */
  readonly children: (delivery: PostDelivery | undefined) => ReactNode
}

export function WhyNot({ post, account, zone, children }: Props) {
  const delivery = useQuery(deliveryQuery(post.id, post.revision))
  const isFine = post.status === 'published' || (delivery.isSuccess && isOnTime(post, account, zone, delivery.data))
  return (
    <section aria-labelledby="why-not-title" data-testid="why-not">
      <h3 id="why-not-title" className="mb-2 font-semibold">
        {isFine ? words.publishing : words.whyNot}
      </h3>
      {delivery.isPending && <Skeleton className="h-16" />}
      {delivery.isError && (
        <p className="text-quiet" role="alert">
          {words.failed(errorText(delivery.error))}
          <Button look="link" size="inline" onPress={() => void delivery.refetch()}>
            {words.tryAgain}
          </Button>
        </p>
      )}
      {delivery.isSuccess && <Answer post={post} account={account} zone={zone} delivery={delivery.data} />}
      {children(delivery.data)}
      {delivery.isSuccess && <Attempts delivery={delivery.data} zone={zone} shownUrl={post.url} />}
    </section>
  )
}

function Answer({ post, account, zone, delivery }: Omit<Props, 'children'> & { readonly delivery: PostDelivery }) {
  const { sentence, act } = delivery
  const name = platformLook[post.platform].title
  if (post.status === 'published') {
    return (
      <DeliveryNote tone="live" title={sentence}>
        {post.url !== null && <Link to={post.url}>{words.seeOn(name)}</Link>}
      </DeliveryNote>
    )
  }
  const { tone, title } = headline(post, account, zone, delivery)
  if (isOnTime(post, account, zone, delivery)) return <DeliveryNote tone={tone} title={title} />
  const profile = (act === 'resolve' || act === 'check') && account !== undefined ? account.accountUrl : null
  return (
    <>
      <DeliveryNote tone={tone} title={title}>
        <p className="mt-0.5 wrap-anywhere">{sentence}</p>
        {profile !== null && <Link to={profile}>{words.openProfile(name)}</Link>}
      </DeliveryNote>
      {act === 'reconnect' && (
        <AnchorButton
          className="mt-3"
          onClick={() => wayBack.keep(post.socialAccountId)}
          href={`/api/social-accounts/${encodeURIComponent(post.socialAccountId)}/connect`}
        >
          {words.connect}
        </AnchorButton>
      )}
    </>
  )
}

const Link = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a href={to} target="_blank" rel="noreferrer" className="mt-1 inline-block font-medium underline underline-offset-4">
    {children}
  </a>
)

/** Nothing is in the way of a scheduled post: its time says all. */
const isOnTime = (
  post: Omit<Post, 'content'>,
  account: SocialAccount | undefined,
  zone: string,
  { at, act }: PostDelivery,
): boolean =>
  act === 'wait' &&
  at !== null &&
  at === post.scheduledFor &&
  deliveryWords(post, zone) === null &&
  accountWords(post, account, zone) === null

/** The state in a few words, above the sentence that explains it. */
function headline(
  post: Omit<Post, 'content'>,
  account: SocialAccount | undefined,
  zone: string,
  { at, act }: PostDelivery,
): Pick<DeliveryWords, 'tone' | 'title'> {
  const state = deliveryWords(post, zone) ?? accountWords(post, account, zone)
  if (state) return { tone: state.tone, title: state.state }
  if (act === 'reconnect') return { tone: 'pending', title: words.notConnected }
  if (at === null) return { tone: 'pending', title: words.waiting }
  return at === post.scheduledFor
    ? { tone: 'scheduled', title: words.scheduledFor(formatSoon(at, zone)) }
    : { tone: 'pending', title: words.waitsUntil(formatSoon(at, zone)) }
}
