import { Link } from '@tanstack/react-router'
import type { AnalyticsPost } from '../../../api/contract/index.ts'
import { formatDate } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { engagementColor, viewsColor } from './colors.ts'
import { Sparkline } from './Sparkline.tsx'
import type { Figure } from './sums.ts'
import { words } from './words.ts'

interface Props {
  readonly post: AnalyticsPost
  /** Whose line is shown. */
  readonly metric: Figure
  readonly zone: string
}

const metrics = ['views', 'likes', 'comments', 'shares', 'engagement'] as const

export function PostRow({ post, metric, zone }: Props) {
  const { id, clientName, platform, excerpt, publishedAt } = post
  return (
    <tr className="border-b border-line align-middle last:border-0" data-testid={`analytics-post-${id}`}>
      <th scope="row" className="max-w-80 py-2.5 max-sm:max-w-44 font-normal">
        <Link
          to="/content/$post"
          params={{ post: id }}
          search={{ client: post.clientId }}
          aria-label={words.posts.open(excerpt || words.posts.noText)}
          className="block rounded-control hover:underline"
        >
          <span dir="auto" className="line-clamp-1 font-medium wrap-anywhere">
            {excerpt || words.posts.noText}
          </span>
        </Link>
        <span className="flex items-center gap-1.5 text-sm text-quiet">
          <PlatformIcon platform={platform} />
          <span dir="auto" className="truncate">
            {clientName}
          </span>
        </span>
      </th>
      <td className="py-2.5 pl-3 text-right whitespace-nowrap">{formatDate(publishedAt, zone)}</td>
      {metrics.map((each) => (
        <td key={each} className="py-2.5 pl-3 text-right">
          <Metric post={post} metric={each} />
        </td>
      ))}
      <td className="py-2.5 pl-4">
        <Trend post={post} metric={metric} />
      </td>
    </tr>
  )
}

/** A metric that the network does not offer is no zero. */
function Metric({ post, metric }: { readonly post: AnalyticsPost; readonly metric: Figure }) {
  const value = post[metric]
  if (value !== null) return value.toLocaleString()
  const why =
    post.readings.length === 0 ? words.posts.notCollected : words.posts.notOffered(platformLook[post.platform].title)
  return (
    <span title={why} className="text-quiet">
      <span aria-hidden>—</span>
      <span className="sr-only">{why}</span>
    </span>
  )
}

function Trend({ post: { readings }, metric }: { readonly post: AnalyticsPost; readonly metric: Figure }) {
  const points = readings.flatMap((reading) => {
    const value = valueOf(reading, metric)
    return value === null ? [] : [{ at: Date.parse(reading.at), value }]
  })
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last)
    return (
      <span className="text-quiet">
        <span aria-hidden>—</span>
        <span className="sr-only">{words.posts.noTrend}</span>
      </span>
    )
  const label = words.posts.trendLabel(
    words.posts[metric],
    first.value.toLocaleString(),
    last.value.toLocaleString(),
    points.length,
  )
  return <Sparkline points={points} label={label} color={metric === 'views' ? viewsColor : engagementColor} />
}

function valueOf(reading: AnalyticsPost['readings'][number], metric: Figure): number | null {
  if (metric !== 'engagement') return reading[metric]
  const { likes, comments, shares } = reading
  const offered = [likes, comments, shares].filter((value) => value !== null)
  return offered.length === 0 ? null : offered.reduce((sum, value) => sum + value, 0)
}
