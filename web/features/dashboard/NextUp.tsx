import type { Attention, PostCard } from '../../../api/contract/index.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { words } from './words.ts'
import { AttentionRow } from './AttentionRow.tsx'

interface Props {
  /** Undefined while it is loaded. */
  readonly nextUp: Attention['nextUp'] | undefined
  readonly zone: string
  readonly onOpen: (post: PostCard) => void
}

/** The next ten posts of all clients. */
export function NextUp({ nextUp, zone, onOpen }: Props) {
  return (
    <Card className="min-w-0 p-0! sm:p-0!" data-testid="card-next-up">
      <h2 className="px-5 pt-4 pb-3 font-semibold">{words.nextTitle}</h2>
      {nextUp === undefined ? (
        <div className="flex flex-col gap-3 px-5 pb-5">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      ) : nextUp.length === 0 ? (
        <p className="px-5 pb-5 text-quiet">{words.nothingNext}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {nextUp.map(({ post, clientName }) => (
            <AttentionRow
              key={post.id}
              platform={post.platform}
              title={post.excerpt}
              about={[clientName]}
              at={post.scheduledFor}
              zone={zone}
              onOpen={() => onOpen(post)}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
