import { Eye, Heart, MessageCircle, Share2, TrendingUp } from 'lucide-react'
import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { total } from './sums.ts'

const tiles = [
  { figure: 'views', title: 'Total Views', icon: Eye },
  { figure: 'likes', title: 'Total Likes', icon: Heart },
  { figure: 'comments', title: 'Total Comments', icon: MessageCircle },
  { figure: 'shares', title: 'Total Shares', icon: Share2 },
  { figure: 'engagement', title: 'Total Engagement', icon: TrendingUp },
] as const

const grid = 'grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-n4'

export function Tiles({ records }: { readonly records: readonly AnalyticsRecord[] }) {
  return (
    <dl className={`${grid} lg:grid-cols-5`}>
      {tiles.map(({ figure, title, icon: Icon }) => (
        <div key={figure} data-testid={`tile-${figure}`} className="bg-surface p-5 max-lg:last:col-span-2">
          <dt className="flex items-center gap-2 text-sm text-quiet">
            <Icon aria-hidden className="size-4" />
            {title}
          </dt>
          <dd className="tabular mt-1.5 text-2xl font-semibold">{total(records, figure).toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  )
}

export function TilePlaceholders() {
  return (
    <div className={`${grid} lg:grid-cols-4`}>
      <output className="sr-only">Loading figures</output>
      {[0, 1, 2, 3].map((index) => (
        <div key={index} data-testid="skeleton-tile" className="h-[6.125rem] bg-surface p-5">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="mt-3 h-7 w-20" />
        </div>
      ))}
    </div>
  )
}
