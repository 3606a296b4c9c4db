import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { CalendarEntry } from '../../../api/contract/index.ts'
import { chosenClient } from '../../lib/chosen-client.ts'
import { formatMonth, todayKey } from '../../lib/dates.ts'
import { isMonth, monthOf, shiftMonth, weeksOf } from '../../lib/month.ts'
import { calendarQuery, clientsQuery } from '../../lib/queries.ts'
import { useZone } from '../../lib/use-agency.ts'
import { calendarWatched } from '../../lib/watched.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { byDay } from './by-day.ts'
import { Legend } from './Legend.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import type { CalendarSearch } from './search.ts'
import { useFollow, type Moved } from './use-follow.ts'
import { useDropOnDay } from './use-drop-on-day.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const WhenDialog = lazyDialog(() => import('../../ui/posts/WhenDialog.tsx'))
const DayDialog = lazyDialog(() => import('./DayDialog.tsx'))
const PostDetails = lazyDialog(() => import('./PostDetails.tsx'))

type Open =
  | { readonly as: 'post'; readonly entry: CalendarEntry }
  | { readonly as: 'move'; readonly entry: CalendarEntry; readonly price: string | undefined }
  | { readonly as: 'day'; readonly day: string }

const all = 'all'

export function CalendarScreen({ search }: { readonly search: CalendarSearch }) {
  const zone = useZone()
  const today = todayKey(zone)
  const month = search.month ?? monthOf(today)
  const weeks = useMemo(() => weeksOf(month), [month])
  const months = useMemo(() => [...new Set(weeks.flat().map(monthOf))], [weeks])
  const clients = useQuery(clientsQuery)
  // A removed client filters nothing.
  const client = clients.data?.some(({ id }) => id === search.client) === false ? undefined : search.client
  const queries = useQueries({ queries: months.map((each) => calendarQuery(each, client)) })
  useEffect(() => {
    if (client !== undefined) chosenClient.keep(client)
  }, [client])
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open | null>(null)
  const [said, setSaid] = useState('')
  const dropOnDay = useDropOnDay(zone, setSaid)
  const [moved, setMoved] = useState<Moved | null>(null)
  const shows = (day: string) => weeks.flat().includes(day)
  const loading = queries.some(({ isPending }) => isPending)
  // Said once the dialog is gone: behind it nothing is heard.
  const heading = useFollow(moved, moved !== null && shows(moved.day) && !loading, ({ sentence }) => {
    setSaid(sentence)
    setMoved(null)
  })

  const go = (next: CalendarSearch) =>
    void navigate({ to: '/calendar', search: next, replace: true, resetScroll: false })
  const onClient = (id: string) => {
    if (id === all) chosenClient.everybody()
    go({ ...search, client: id === all ? undefined : id })
  }
  const onMoved = (next: Moved) => {
    setMoved(next)
    if (!shows(next.day)) go({ ...search, month: monthOf(next.day) })
  }
  const entries = queries.flatMap(({ data }) => data ?? [])
  const days = byDay(entries, zone)
  const failed = queries.find(({ isError }) => isError)
  const refetch = () => Promise.all(queries.map((query) => query.refetch()))
  const clientOptions = [
    { id: all, label: 'All Clients' },
    ...(clients.data ?? []).map(({ id, name }) => ({ id, label: name })),
  ]
  return (
    <div data-fills className="flex flex-1 flex-col">
      <PageHeader
        title="Content Calendar"
        actions={
          <>
            <Select
              label="Client"
              labelHidden
              testId="select-client"
              shortcut="/"
              options={clientOptions}
              value={client ?? all}
              onChange={onClient}
              className="w-52"
            />
            <RefreshButton
              busy={queries.some(({ isFetching }) => isFetching)}
              onRefresh={refetch}
              watched={calendarWatched(months, client)}
            />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2
          ref={heading}
          tabIndex={-1}
          className="mr-auto text-xl font-semibold"
          aria-live="polite"
          data-testid="text-month"
        >
          {formatMonth(month)}
        </h2>
        <Button onPress={() => go({ ...search, month: undefined })}>Today</Button>
        <Button
          size="icon"
          look="quiet"
          aria-label="Previous month"
          isDisabled={!isMonth(shiftMonth(month, -1))}
          onPress={() => go({ ...search, month: shiftMonth(month, -1) })}
        >
          <ChevronLeft aria-hidden />
        </Button>
        <Button
          size="icon"
          look="quiet"
          aria-label="Next month"
          isDisabled={!isMonth(shiftMonth(month, 1))}
          onPress={() => go({ ...search, month: shiftMonth(month, 1) })}
        >
          <ChevronRight aria-hidden />
        </Button>
      </div>
      {failed ? (
        <LoadError what="The calendar" error={failed.error} onRetry={() => void refetch()} />
      ) : (
        <MonthGrid
          weeks={weeks}
          month={month}
          today={today}
          zone={zone}
          days={days}
          loading={loading}
          onOpen={(entry) => setOpen({ as: 'post', entry })}
          onMore={(day) => setOpen({ as: 'day', day })}
          onDrop={dropOnDay}
        />
      )}
      <Legend />
      <output className="sr-only" data-testid="live-region">
        {said}
      </output>
      {open?.as === 'post' && (
        <PostDetails
          entry={open.entry}
          zone={zone}
          onClose={() => setOpen(null)}
          onMove={(price) => setOpen({ as: 'move', entry: open.entry, price })}
        />
      )}
      {open?.as === 'move' && (
        <WhenDialog
          post={open.entry}
          price={open.price}
          zone={zone}
          onClose={() => setOpen(null)}
          onMoved={(sentence, day) => onMoved({ id: open.entry.id, day, sentence })}
        />
      )}
      {open?.as === 'day' && (
        <DayDialog
          day={open.day}
          entries={days.get(open.day) ?? []}
          zone={zone}
          onClose={() => setOpen(null)}
          onOpen={(entry) => setOpen({ as: 'post', entry })}
        />
      )}
    </div>
  )
}
