import { useQuery } from '@tanstack/react-query'
import type { CalendarTile, Client } from '../../../api/contract/index.ts'
import { formatDay } from '../../lib/dates.ts'
import { calendarDayQuery } from '../../lib/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { byDay, type DayPosts } from './by-day.ts'
import { DayRow } from './DayRow.tsx'

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
}

/** Asks for the whole day only where the calendar doesn't have all of it. */
export default function DayDialog({ day, posts, client, drafts, clients, zone, onClose, onOpen }: Props) {
  const whole = useQuery({
    ...calendarDayQuery(day, client, drafts ? 'true' : undefined),
    enabled: posts.more > 0,
  })
  const { entries, more } = (whole.data && byDay(whole.data, zone, drafts).get(day)) ?? posts
  return (
    <Dialog open onClose={onClose} title={formatDay(day)}>
      <ul className="-mx-3 flex flex-col gap-0.5">
        {entries.map((entry) => (
          <li key={entry.id}>
            <DayRow entry={entry} zone={zone} client={clients?.get(entry.clientId)} onOpen={() => onOpen(entry)} />
          </li>
        ))}
      </ul>
      {whole.isLoading && <Skeleton className="mt-2 h-9" />}
      {whole.isError && <LoadError what="The day" error={whole.error} onRetry={() => void whole.refetch()} />}
      {whole.isSuccess && more > 0 && (
        <p className="mt-3 text-sm text-quiet">{`${more} more. Choose a client to see fewer posts.`}</p>
      )}
    </Dialog>
  )
}
