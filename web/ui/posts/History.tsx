import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { CommentedEntry, HistoryEntry } from '../../../api/contract/index.ts'
import { roleNames } from '../../lib/role-names.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { historyQuery } from '../../lib/queries.ts'
import { Button } from '../Button.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { CompareVersions } from './CompareVersions.tsx'
import { Difference, PlainText } from './Difference.tsx'
import { withRuns, type Reply } from './history-runs.ts'
import { historyWords, urlOf } from './history-words.ts'
import { versionsOf } from './versions.ts'
import { words } from './history-panel-words.ts'

interface Props {
  readonly postId: string
  readonly revision: number
  readonly zone: string
}

/**
 * Lists a post's events, the newest first; consecutive readings of figures are one entry. Earlier events are loaded on
 * request.
 */
export function History({ postId, revision, zone }: Props) {
  const history = useInfiniteQuery(historyQuery(postId, revision))
  if (history.isPending) return <Skeleton className="h-24" />
  if (!history.data) {
    return (
      <p className="text-quiet" role="alert">
        {words.failed(errorText(history.error))}
        <Button look="link" size="inline" onPress={() => void history.refetch()}>
          {words.tryAgain}
        </Button>
      </p>
    )
  }
  return <Timeline entries={entriesOf(history.data.pages)} zone={zone} earlier={earlierOf(history)} />
}

/** The button for earlier events. */
export interface Earlier {
  readonly show: () => void
  readonly isLoading: boolean
  /** Why it could not be loaded; null while nothing is wrong. */
  readonly error: unknown
}

/** Null: everything is shown. */
export const earlierOf = ({
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  error,
  fetchNextPage,
}: Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
>): Earlier | null =>
  hasNextPage
    ? {
        show: () => void fetchNextPage(),
        isLoading: isFetchingNextPage,
        error: isFetchNextPageError && !isFetchingNextPage ? error : null,
      }
    : null

/** The oldest first. @param pages the newest page first */
export const entriesOf = (pages: readonly { readonly items: readonly HistoryEntry[] }[]): readonly HistoryEntry[] =>
  pages.toReversed().flatMap(({ items }) => items)

interface TimelineProps {
  /** The oldest first. */
  readonly entries: readonly HistoryEntry[]
  readonly earlier: Earlier | null
  readonly zone: string
}

export function Timeline({ entries, earlier, zone }: TimelineProps) {
  return (
    <>
      <CompareVersions versions={versionsOf(entries, zone)} isWhole={earlier === null} />
      <ol
        data-testid="post-history"
        className="relative flex flex-col gap-4 before:absolute before:inset-y-2 before:left-[5px] before:w-px before:bg-n6"
      >
        {withRuns(entries.toReversed()).map((result) => (
          <Fragment key={result.entry.revision}>
            {result.entry.comments?.toReversed().map((comment) => (
              <Commented key={comment.id} {...comment} zone={zone} />
            ))}
            <Entry {...result} zone={zone} />
          </Fragment>
        ))}
      </ol>
      {earlier && (
        <div className="mt-4 flex flex-col items-start gap-2">
          {earlier.error !== null && (
            <p className="text-quiet" role="alert">
              {words.earlierFailed(errorText(earlier.error))}
            </p>
          )}
          <Button size="sm" onPress={earlier.show} pending={earlier.isLoading} data-testid="button-show-earlier">
            {earlier.isLoading ? words.loading : words.showEarlier}
          </Button>
        </div>
      )}
    </>
  )
}

const Commented = ({ at, actor, audience, zone }: CommentedEntry & { readonly zone: string }) => (
  <li className="relative pl-6" data-testid="history-comment">
    <span aria-hidden className="absolute top-1 left-0 size-[11px] rounded-full border-2 border-float bg-n8" />
    <p className="font-medium">{words.commented[audience]}</p>
    <p className="tabular text-sm text-quiet">
      <time dateTime={at}>{formatDateTime(at, zone)}</time>
      <Who actor={actor} />
    </p>
  </li>
)

const Who = ({ actor: { name, role } }: Pick<HistoryEntry, 'actor'>) => (
  <>
    {` · ${name}`}
    {role !== null && `, ${roleNames[role]}`}
  </>
)

function Entry({ entry, before, count, since, zone }: Reply & { readonly zone: string }) {
  const url = urlOf(entry)
  const textChanged = before === undefined || before.content !== entry.content
  return (
    <li className="relative pl-6" data-testid="history-entry" data-event={entry.type}>
      <span
        aria-hidden
        className={`absolute top-1 left-0 size-[11px] rounded-full border-2 border-float ${textChanged ? 'bg-accent' : 'bg-n8'}`}
      />
      <p className="font-medium wrap-anywhere">
        {historyWords(entry, zone)}
        {count > 1 && words.times(count)}
        {url !== null && (
          <>
            {' '}
            <a href={url} target="_blank" rel="noreferrer" className="text-accent-ink underline underline-offset-4">
              {words.viewPost}
            </a>
          </>
        )}
      </p>
      <p className="tabular text-sm text-quiet">
        <time dateTime={entry.at}>{formatDateTime(entry.at, zone)}</time>
        {count > 1 && words.since(formatDateTime(since, zone))}
        <Who actor={entry.actor} />
      </p>
      {count === 1 && <TextThen entry={entry} before={before} />}
    </li>
  )
}

function TextThen({ entry, before }: Pick<Reply, 'entry' | 'before'>) {
  return before !== undefined && before.content !== entry.content ? (
    <details className="mt-1 text-sm" open>
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">{words.changes}</summary>
      <Difference before={before.content} after={entry.content} />
    </details>
  ) : (
    <details className="mt-1 text-sm">
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">{words.showText}</summary>
      <PlainText>{entry.content}</PlainText>
    </details>
  )
}
