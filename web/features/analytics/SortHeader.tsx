import { ArrowDown, ArrowUp } from 'lucide-react'
import type { AnalyticsSort } from '../../../api/contract/index.ts'
import { words } from './words.ts'

interface Props {
  readonly column: AnalyticsSort
  readonly sort: AnalyticsSort
  readonly order: 'asc' | 'desc'
  readonly onSort: (sorted: { readonly sort: AnalyticsSort; readonly order?: 'asc' | undefined }) => void
}

/** A second press turns the order around. */
export function SortHeader({ column, sort, order, onSort }: Props) {
  const isSorted = column === sort
  const isDown = order === 'desc'
  const Arrow = isDown ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}
      className="py-2 pl-3 text-right font-medium whitespace-nowrap"
    >
      <button
        type="button"
        aria-label={words.posts.sortBy(words.posts[column])}
        onClick={() => onSort({ sort: column, order: isSorted && isDown ? 'asc' : undefined })}
        className={`inline-flex items-center gap-1 rounded-control hover:text-ink ${isSorted ? 'text-ink' : ''}`}
      >
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
        {words.posts[column]}
      </button>
    </th>
  )
}
