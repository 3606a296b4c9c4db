import { CalendarDays, Send, TrendingUp, Users } from 'lucide-react'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { words } from './words.ts'

interface Figures {
  readonly clientLimit: number
  readonly activePosts: number
  readonly dueThisWeek: number
  readonly engagementPercent: number
}

interface Props {
  readonly figures: Figures | undefined
  readonly clientCount: number | undefined
}

export function StatCards({ figures, clientCount }: Props) {
  const stats = [
    {
      title: words.stats.clients,
      icon: Users,
      value: clientCount === undefined ? undefined : `${clientCount}/${figures?.clientLimit ?? 10}`,
    },
    { title: words.stats.posts, icon: Send, value: figures?.activePosts.toLocaleString('en-US') },
    { title: words.stats.week, icon: CalendarDays, value: figures?.dueThisWeek.toLocaleString('en-US') },
    { title: words.stats.engagement, icon: TrendingUp, value: figures && `${figures.engagementPercent}%` },
  ]
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-surface lg:grid-cols-4">
      {stats.map(({ title, icon: Icon, value }) => (
        <div
          key={title}
          data-testid={`stat-${title.toLowerCase().replaceAll(' ', '-')}`}
          className="border-line p-5 even:border-l max-lg:nth-3:border-t max-lg:nth-4:border-t lg:not-first:border-l"
        >
          <dt className="flex items-center gap-2 text-sm text-quiet">
            <Icon aria-hidden className="size-4" />
            {title}
          </dt>
          <dd className="tabular mt-1.5 h-9 text-2xl leading-9 font-semibold">
            {value ?? <Skeleton className="h-8 w-16" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
