import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { CalendarTile } from '../../../api/contract/index.ts'
import { keepCalendarChoice, useCalendarChoice } from '../../lib/calendar-choice.ts'
import { chosenClient } from '../../lib/chosen-client.ts'
import { todayKey } from '../../lib/dates.ts'
import { monthOf, shiftDay, shiftMonth } from '../../lib/month.ts'
import { calendarQuery, clientsQuery } from '../../lib/queries.ts'
import { useZone } from '../../lib/use-agency.ts'
import { calendarWatched } from '../../lib/watched.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { Agenda } from './Agenda.tsx'
import { askedOf } from './ask.ts'
import { byDay, noPosts } from './by-day.ts'
import { Legend } from './Legend.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import type { CalendarSearch } from './search.ts'
import { Toolbar } from './Toolbar.tsx'
import { useFollow, type Moved } from './use-follow.ts'
import { useDropOnDay } from './use-drop-on-day.ts'
import { usePage } from './use-page.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { words } from './words.ts'

const WhenDialog = lazyDialog(() => import('../../ui/posts/WhenDialog.tsx'))
const DayDialog = lazyDialog(() => import('./DayDialog.tsx'))
const PostDetails = lazyDialog(() => import('./PostDetails.tsx'))
const NewPost = lazyDialog(() => import('./NewPost.tsx'))

type Open =
  | { readonly as: 'post'; readonly entry: CalendarTile }
  | { readonly as: 'move'; readonly entry: CalendarTile; readonly price: string | undefined }
  | { readonly as: 'day' | 'new'; readonly day: string }

const all = 'all'
const nothing = { posts: [], more: [] }
/** Tiles of a day; a week has room for all that the server sends. */
const tilesOfMonth = 3
const tilesOfWeek = 30

/** A week's seven columns need a wider screen than a phone's. */
const phone = window.matchMedia('(max-width: 39.99rem)')
const watchPhone = (listener: () => void) => {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

export function CalendarScreen({ search }: { readonly search: CalendarSearch }) {
  const zone = useZone()
  const today = todayKey(zone)
  const kept = useCalendarChoice()
  const isPhone = useSyncExternalStore(watchPhone, () => phone.matches)
  const choice = { ...kept, view: search.view ?? kept.view }
  const page = usePage(choice.view, search, today)
  const shownDays = useMemo(() => page.weeks.flat(), [page])
  const clients = useQuery(clientsQuery)
  // A removed client filters nothing.
  const client = clients.data?.some(({ id }) => id === search.client) === false ? undefined : search.client
  const asked = askedOf(choice, { ...search, client }, shownDays[0])
  const query = useQuery(calendarQuery(asked, today))
  useEffect(() => {
    if (client !== undefined) chosenClient.keep(client)
  }, [client])
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open | null>(null)
  const [said, setSaid] = useState('')
  const dropOnDay = useDropOnDay(zone, setSaid)
  const [moved, setMoved] = useState<Moved | null>(null)
  const shows = (day: string) => shownDays.includes(day)
  const loading = query.isPending
  // Said once the dialog is gone: behind it nothing is heard.
  const heading = useFollow(moved, moved !== null && shows(moved.day) && !loading, ({ sentence }) => {
    setSaid(sentence)
    setMoved(null)
  })

  const go = (next: CalendarSearch) =>
    void navigate({ to: '/calendar', search: next, replace: true, resetScroll: false })
  const goBeside = (by: 1 | -1) => {
    const next = page.beside(by)
    return next && (() => go({ ...search, ...next }))
  }
  const onClient = (id: string) => {
    if (id === all) chosenClient.everybody()
    go({ ...search, client: id === all ? undefined : id })
  }
  const onMoved = (next: Moved) => {
    setMoved(next)
    if (!shows(next.day)) go({ ...search, ...page.having(next.day) })
  }
  /** The same date of the page beside it. */
  const onPage = (by: 1 | -1, day: string) => {
    const turn = goBeside(by)
    if (turn === null) return null
    turn()
    if (page.month === null) return shiftDay(day, 7 * by)
    const month = shiftMonth(page.month, by)
    const date = Math.min(Number(day.slice(8)), new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate())
    return `${month}-${String(date).padStart(2, '0')}`
  }
  const compose = (id: string, on: string) =>
    void navigate({ to: '/clients/$id', params: { id }, search: { tab: 'posts', compose: true, on } })
  const onNew = (day: string) => {
    if (day < today) return
    const only = clients.data?.length === 1 ? clients.data[0]?.id : client
    if (only === undefined) setOpen({ as: 'new', day })
    else compose(only, day)
  }
  const days = byDay(query.data ?? nothing, zone, choice.drafts)
  const byId = useMemo(
    () => (client === undefined ? new Map((clients.data ?? []).map((each) => [each.id, each])) : null),
    [client, clients.data],
  )
  const actions = {
    onOpen: (entry: CalendarTile) => setOpen({ as: 'post', entry }),
    onMore: (day: string) => setOpen({ as: 'day', day }),
    onNew,
  }
  const clientOptions = [
    { id: all, label: words.allClients },
    ...(clients.data ?? []).map(({ id, name }) => ({ id, label: name })),
  ]
  const inMonth = shownDays.filter((day) => page.month === null || monthOf(day) === page.month)
  return (
    <div data-fills className="flex flex-1 flex-col">
      <PageHeader
        title={words.title}
        actions={
          <>
            <Select
              label={words.client}
              labelHidden
              testId="select-client"
              shortcut="/"
              options={clientOptions}
              value={client ?? all}
              onChange={onClient}
              className="w-52"
            />
            <RefreshButton busy={query.isFetching} onRefresh={query.refetch} watched={calendarWatched(asked)} />
          </>
        }
      />
      <Toolbar
        title={page.title}
        heading={heading}
        choice={choice}
        onView={(view) => {
          keepCalendarChoice({ ...choice, view })
          go({ client: search.client, ...page.as(view) })
        }}
        onDrafts={(drafts) => keepCalendarChoice({ ...choice, drafts })}
        onToday={() => go({ ...search, month: undefined, day: undefined })}
        onPrevious={goBeside(-1)}
        onNext={goBeside(1)}
      />
      {query.isError ? (
        <LoadError what={words.calendar} error={query.error} onRetry={() => void query.refetch()} />
      ) : choice.view === 'list' || (choice.view === 'week' && isPhone) ? (
        <Agenda
          view={choice.view}
          days={inMonth}
          posts={days}
          clients={byId}
          today={today}
          zone={zone}
          loading={loading}
          {...actions}
        />
      ) : (
        <MonthGrid
          label={words.views[choice.view]}
          weeks={page.weeks}
          month={page.month}
          today={today}
          zone={zone}
          days={days}
          clients={byId}
          loading={loading}
          shown={choice.view === 'week' ? tilesOfWeek : tilesOfMonth}
          onDrop={dropOnDay}
          onPage={onPage}
          {...actions}
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
          onMove={(entry, price) => setOpen({ as: 'move', entry, price })}
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
          posts={days.get(open.day) ?? noPosts}
          client={client}
          drafts={choice.drafts}
          clients={byId}
          zone={zone}
          onClose={() => setOpen(null)}
          onOpen={actions.onOpen}
          onNew={open.day < today ? undefined : () => onNew(open.day)}
        />
      )}
      {open?.as === 'new' && (
        <NewPost
          day={open.day}
          clients={clients.data ?? []}
          onClose={() => setOpen(null)}
          onChosen={(id) => compose(id, open.day)}
        />
      )}
    </div>
  )
}
