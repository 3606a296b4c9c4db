import { Clock, TriangleAlert } from 'lucide-react'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { accountWords as words } from './account-words.ts'

interface Props {
  readonly account: SocialAccount
  readonly zone: string
}

/**
 * Warns about a connection that is broken or about to expire, and about its posts. Renders nothing for a healthy one.
 */
export function ConnectionHealth({ account, zone }: Props) {
  const { state, endsAt, lostBecause, endangeredPosts, pause } = account
  if (state === 'broken') {
    return (
      <p
        data-testid="connection-health"
        className="flex gap-2 rounded-control bg-rejected-soft px-3 py-2 text-sm text-rejected-ink"
      >
        <TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{brokenWords(lostBecause ?? words.broke, endangeredPosts)}</span>
      </p>
    )
  }
  if (state === 'ending' && endsAt !== null) {
    return (
      <p
        data-testid="connection-health"
        className="flex gap-2 rounded-control bg-pending-soft px-3 py-2 text-sm text-pending-ink"
      >
        <Clock aria-hidden className="mt-px size-4 shrink-0" />
        <span className="min-w-0">{words.ends(formatSoon(endsAt, zone), endingWords(endangeredPosts))}</span>
      </p>
    )
  }
  return (
    <>
      {pause !== null && (
        <p
          data-testid="connection-pause"
          className="flex gap-2 rounded-control bg-pending-soft px-3 py-2 text-sm text-pending-ink"
        >
          <Clock aria-hidden className="mt-px size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {words.pauseUntil(pause.because, formatSoon(pause.until, zone))}
          </span>
        </p>
      )}
      {endsAt !== null && <p className="text-sm text-quiet">{words.connectBefore(formatDateTime(endsAt, zone))}</p>}
    </>
  )
}

function brokenWords(because: string, posts: number): string {
  const advice = /\bconnect\b/i.test(because) ? '' : words.connectAgain
  return because + advice + (posts === 0 ? '' : words.dependOnIt(posts))
}

const endingWords = (posts: number) => (posts === 0 ? words.connectToGoOn : words.dueAfter(posts))
