import { Eye, Heart, MessageCircle, Share2, TrendingUp } from 'lucide-react'
import type { AnalyticsPeriod, AnalyticsRecord } from '../../../api/contract/index.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { changeOf } from './change.ts'
import { isReported, total, type Figure } from './sums.ts'
import { words } from './words.ts'

const tiles = [
  { figure: 'views', icon: Eye },
  { figure: 'likes', icon: Heart },
  { figure: 'comments', icon: MessageCircle },
  { figure: 'shares', icon: Share2 },
  { figure: 'engagement', icon: TrendingUp },
] as const

const grid = 'grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-n4'

interface Props {
  /** Those of a period have the previous period's metrics too. */
  readonly records: readonly (AnalyticsRecord | AnalyticsPeriod['records'][number])[]
  readonly isPeriod: boolean
}

export function Tiles({ records, isPeriod }: Props) {
  const beforeOf = (figure: Figure) =>
    records.reduce((sum, record) => sum + ('before' in record ? record.before[figure] : 0), 0)
  return (
    <dl className={`${grid} lg:grid-cols-5`}>
      {tiles.map(({ figure, icon: Icon }) => (
        <div key={figure} data-testid={`tile-${figure}`} className="bg-surface p-5 max-lg:last:col-span-2">
          <dt className="flex items-center gap-2 text-sm text-quiet">
            <Icon aria-hidden className="size-4" />
            {words.tiles[figure]}
          </dt>
          {isReported(records, figure) ? (
            <>
              <dd className="tabular mt-1.5 text-2xl font-semibold">{total(records, figure).toLocaleString()}</dd>
              {isPeriod && (
                <dd className="tabular mt-0.5 text-sm text-quiet" data-testid={`change-${figure}`}>
                  {changeOf(total(records, figure), beforeOf(figure))}
                </dd>
              )}
            </>
          ) : (
            <dd className="mt-1.5 text-quiet">
              <span aria-hidden className="block text-2xl font-semibold">
                —
              </span>
              <span className="mt-0.5 block text-sm">{words.notReported}</span>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

export function TilePlaceholders() {
  return (
    <div className={`${grid} lg:grid-cols-4`}>
      <output className="sr-only">{words.loading}</output>
      {[0, 1, 2, 3].map((index) => (
        <div key={index} data-testid="skeleton-tile" className="h-[6.125rem] bg-surface p-5">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="mt-3 h-7 w-20" />
        </div>
      ))}
    </div>
  )
}
