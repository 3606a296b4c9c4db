/** Posts and connections that need a person: each with the one act that helps. */
import { useInfiniteQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import {
  CalendarClock,
  CircleCheck,
  CircleHelp,
  CirclePause,
  CircleX,
  Clock,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import type { Attention, AttentionKind, AttentionPost, PostCard } from '../../../api/contract/index.ts'
import { release, retry, returnToDraft, usePostAction, type PostAction } from '../../lib/post-actions.ts'
import { attentionListQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { actWords, connectionWords, kindWords, words } from './words.ts'
import { AttentionRow } from './AttentionRow.tsx'

const looks: Readonly<Record<AttentionKind, { readonly icon: LucideIcon; readonly ink: string }>> = {
  failed: { icon: CircleX, ink: 'text-rejected-ink' },
  unknown: { icon: CircleHelp, ink: 'text-unknown-ink' },
  held: { icon: CirclePause, ink: 'text-pending-ink' },
  pending: { icon: Clock, ink: 'text-pending-ink' },
  draft: { icon: CalendarClock, ink: 'text-draft-ink' },
}
const kinds = ['failed', 'unknown', 'held', 'pending', 'draft'] as const

interface Props {
  readonly attention: UseQueryResult<Attention>
  readonly zone: string
  readonly onOpen: (post: PostCard) => void
}

export function NeedsAttention({ attention, zone, onOpen }: Props) {
  const total = attention.data && totalOf(attention.data)
  return (
    <Card className="min-w-0 p-0! sm:p-0!" data-testid="card-attention">
      <h2 className="flex items-center gap-2 px-5 pt-4 pb-3 font-semibold">
        {words.title}
        {total !== undefined && total > 0 && (
          <span className="tabular rounded-full bg-n4 px-2 text-xs leading-5 font-medium">{total}</span>
        )}
      </h2>
      <Rows attention={attention} total={total} zone={zone} onOpen={onOpen} />
    </Card>
  )
}

export const totalOf = ({ counts, connections }: Attention): number =>
  kinds.reduce((sum, kind) => sum + counts[kind], connections.length)

function Rows({ attention, total, zone, onOpen }: Props & { readonly total: number | undefined }) {
  if (attention.isError) {
    return (
      <div className="px-5 pb-5">
        <LoadError what={words.what} error={attention.error} onRetry={() => void attention.refetch()} />
      </div>
    )
  }
  if (attention.data === undefined) {
    return (
      <div className="flex flex-col gap-3 px-5 pb-5">
        <output className="sr-only">{words.loading}</output>
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
    )
  }
  if (total === 0) {
    return (
      <p className="flex items-center gap-2 px-5 pb-5 text-quiet">
        <CircleCheck aria-hidden className="size-4 text-published-ink" />
        {words.nothing}
      </p>
    )
  }
  const { counts, posts, connections } = attention.data
  return (
    <ul className="divide-y divide-line border-t border-line">
      {(['failed', 'unknown', 'held'] as const).map((kind) => (
        <KindRows key={kind} {...{ kind, posts, zone, onOpen }} count={counts[kind]} />
      ))}
      {connections.length > 0 && (
        <li data-testid="card-connections">
          <ul className="divide-y divide-line">
            {connections.map((connection) => (
              <AttentionRow
                key={connection.accountId}
                icon={<TriangleAlert aria-hidden className="size-4 text-pending-ink" />}
                platform={connection.platform}
                title={connection.accountName}
                state={connectionWords(connection)}
                about={[connection.clientName]}
                act={<AccountLink clientId={connection.clientId} name={connection.accountName} />}
              />
            ))}
          </ul>
        </li>
      )}
      {(['pending', 'draft'] as const).map((kind) => (
        <KindRows key={kind} {...{ kind, posts, zone, onOpen }} count={counts[kind]} />
      ))}
    </ul>
  )
}

interface KindProps {
  readonly kind: AttentionKind
  readonly posts: readonly AttentionPost[]
  readonly count: number
  readonly zone: string
  readonly onOpen: (post: PostCard) => void
}

/** The first posts of a kind; the others on request, page by page. */
function KindRows({ kind, posts, count, zone, onOpen }: KindProps) {
  const [isOpen, setOpen] = useState(false)
  const all = useInfiniteQuery({ ...attentionListQuery(kind), enabled: isOpen })
  const { run, running } = usePostAction()
  const first = posts.filter((each) => each.kind === kind)
  const shown = isOpen && all.data ? all.data.pages.flatMap(({ items }) => items) : first
  const rest = Math.max(0, count - shown.length)
  const { icon: Icon, ink } = looks[kind]
  return (
    <>
      {shown.map((item) => (
        <AttentionRow
          key={item.post.id}
          icon={<Icon aria-hidden className={`size-4 ${ink}`} />}
          platform={item.post.platform}
          title={item.post.excerpt}
          state={kindWords[kind]}
          about={[item.clientName]}
          at={item.post.scheduledFor}
          zone={zone}
          onOpen={() => onOpen(item.post)}
          act={
            <Act
              item={item}
              onOpen={() => onOpen(item.post)}
              onRun={(action) => run(item.post.id, action)}
              pending={running?.id === item.post.id}
            />
          }
        />
      ))}
      {rest > 0 && (
        <li className="px-5 py-2">
          <Button
            look="quiet"
            size="sm"
            pending={all.isFetching}
            onPress={() => (isOpen ? void all.fetchNextPage() : setOpen(true))}
          >
            {words.more(rest)}
            <span className="sr-only">{`: ${kindWords[kind]}`}</span>
          </Button>
        </li>
      )}
    </>
  )
}

interface ActProps {
  readonly item: AttentionPost
  readonly onOpen: () => void
  readonly onRun: (action: PostAction) => void
  readonly pending: boolean
}

const actions: Readonly<Partial<Record<AttentionPost['act'], (post: AttentionPost['post']) => PostAction>>> = {
  retry: () => retry,
  release,
  'return-to-draft': () => returnToDraft,
}

function Act({ item: { act, post }, onOpen, onRun, pending }: ActProps) {
  const text = actWords[act]
  const name = `${text}: ${post.excerpt.slice(0, 60)}`
  if (act === 'connect') return <AccountLink clientId={post.clientId} name={name} />
  if (act === 'pay') {
    return (
      <LinkButton to="/billing" size="sm" aria-label={name}>
        {text}
      </LinkButton>
    )
  }
  const action = actions[act]?.(post)
  const Part = act === 'retry' || act === 'release' ? PaidButton : Button
  return (
    <Part size="sm" aria-label={name} pending={pending} onPress={action ? () => onRun(action) : onOpen}>
      {text}
    </Part>
  )
}

function AccountLink({ clientId, name }: { readonly clientId: string; readonly name: string }) {
  return (
    <LinkButton
      to="/clients/$id"
      params={{ id: clientId }}
      search={{ tab: 'accounts' }}
      size="sm"
      aria-label={`${actWords.connect}: ${name}`}
    >
      {actWords.connect}
    </LinkButton>
  )
}
