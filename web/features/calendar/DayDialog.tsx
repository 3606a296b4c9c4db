import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { CalendarTile, Client } from '../../../api/contract/index.ts'
import { formatDay } from '../../lib/dates.ts'
import { calendarDayQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { byDay, type DayPosts } from './by-day.ts'
import { DayRow } from './DayRow.tsx'
import { words } from './words.ts'

interface Props {
  readonly day: string
  /** What the calendar has of it. */
  readonly posts: DayPosts
  readonly client: string | undefined
  readonly drafts: boolean
  readonly clients: ReadonlyMap<string, Client> | null
  readonly zone: string
  readonly onClose: () => void
  readonly onOpen: (entry: CalendarTile) => void
  /** Undefined for a day that has passed. */
  readonly onNew: (() => void) | undefined
}

/** Asks for the whole day only where the calendar doesn't have all of it. */
export default function DayDialog({ day, posts, client, drafts, clients, zone, onClose, onOpen, onNew }: Props) {
  const whole = useQuery({
    ...calendarDayQuery(day, client, drafts ? 'true' : undefined),
    enabled: posts.more > 0,
  })
  const { entries, more } = (whole.data && byDay(whole.data, zone, drafts).get(day)) ?? posts
  return (
    <Dialog
      open
      onClose={onClose}
      title={formatDay(day)}
      {...(onNew && {
        footer: (
          <ForRole least="writer">
            <Button onPress={onNew} data-testid="button-new-post-on-day">
              <Plus aria-hidden />
              {words.newPost}
            </Button>
          </ForRole>
        ),
      })}
    >
      {entries.length === 0 && more === 0 && <p className="text-quiet">{words.noPosts}</p>}
      <ul className="-mx-3 flex flex-col gap-0.5">
        {entries.map((entry) => (
          <li key={entry.id}>
            <DayRow entry={entry} zone={zone} client={clients?.get(entry.clientId)} onOpen={() => onOpen(entry)} />
          </li>
        ))}
      </ul>
      {whole.isLoading && <Skeleton className="mt-2 h-9" />}
      {whole.isError && <LoadError what={words.theDay} error={whole.error} onRetry={() => void whole.refetch()} />}
      {whole.isSuccess && more > 0 && <p className="mt-3 text-sm text-quiet">{words.moreOfAll(more)}</p>}
    </Dialog>
  )
}
