import type { Attempt, PostDelivery } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { words } from './delivery-words.ts'

const shownAtOnce = 3

interface Props {
  readonly delivery: PostDelivery
  readonly zone: string
  /** The link to the published post, which the line above shows. */
  readonly shownUrl: string | null
}

/** Every attempt to publish a post, the newest first. */
export function Attempts({ delivery, zone, shownUrl }: Props) {
  const { attempts, sentence, at } = delivery
  if (attempts.length === 0) return null
  // The newest attempt is described above already.
  const newestFirst = attempts.toReversed().map((attempt): Attempt => {
    const { cause, retryAt, url } = attempt
    return {
      ...attempt,
      cause: cause !== null && sentence.startsWith(cause) ? null : cause,
      retryAt: retryAt === at ? null : retryAt,
      url: url === shownUrl ? null : url,
    }
  })
  const older = newestFirst.slice(shownAtOnce)
  const item = (attempt: Attempt) => <AttemptItem key={attempt.attemptId} attempt={attempt} zone={zone} />
  return (
    <>
      <ul aria-label={words.attempts} className="mt-3 flex flex-col gap-2 text-sm">
        {newestFirst.slice(0, shownAtOnce).map(item)}
      </ul>
      {older.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="w-fit cursor-pointer text-quiet hover:text-ink">{words.earlier(older.length)}</summary>
          <ul aria-label={words.earlierAttempts} className="mt-2 flex flex-col gap-2">
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
      <p className="font-medium">{words.attempt(number, words.outcomes[outcome])}</p>
      <time dateTime={at} className="tabular block text-quiet">
        {formatDateTime(at, zone)}
      </time>
      {cause !== null && <p className="mt-0.5 wrap-anywhere text-quiet">{cause}</p>}
      {retryAt !== null && <p className="tabular mt-0.5 text-quiet">{words.nextTry(formatSoon(retryAt, zone))}</p>}
      {url !== null && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="mt-0.5 inline-block text-accent-ink underline underline-offset-4"
        >
          {words.viewPost}
        </a>
      )}
    </li>
  )
}
