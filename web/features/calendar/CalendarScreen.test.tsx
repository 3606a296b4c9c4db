/** The calendar's views, its tiles, and what a day offers. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CalendarDays, CalendarTile, Post } from '../../../api/contract/index.ts'
import { findDialog, findOption, leavePage, renderRoute } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aClient, anAccount, aPost, newId } from '../../test/things.ts'

const api = startFakeApi()

const tileOf = ({
  id,
  clientId,
  platform,
  status,
  delivery,
  heldBecause,
  content,
  scheduledFor,
  steps,
  can,
}: Post) => ({
  id,
  clientId,
  platform,
  status,
  delivery,
  heldBecause,
  excerpt: content,
  truncated: false,
  scheduledFor: scheduledFor ?? '',
  assignedTo: null,
  steps,
  can,
})

/** Answers with the world's posts. @param more further posts that the reply doesn't have */
function planned(world: World, more: CalendarDays['more'] = []): void {
  api.on('getCalendar', ({ query: { drafts, view, day, client } }) => {
    const open = (status: Post['status']) => status === 'draft' || status === 'pending'
    const posts: CalendarTile[] = world.posts
      .filter(({ status, clientId }) => (drafts || !open(status)) && (client === undefined || client === clientId))
      .map(tileOf)
    const whole = view === 'day'
    return {
      from: day ?? '2031-02-23',
      to: day ?? '2031-04-05',
      posts: whole ? posts : posts.slice(0, 4),
      more: whole ? [] : more,
    }
  })
}

const at = (day: string, time: string) => `2031-03-${day}T${time}:00.000Z`
const march = '/calendar?month=2031-03'
const tiles = () => screen.queryAllByTestId('calendar-post').map((tile) => tile.getAttribute('aria-label'))
const shows = (...labels: readonly string[]) => waitFor(() => expect(tiles()).toEqual(labels))
const asked = () => api.sent('getCalendar').map(({ url }) => url.search)

function withTwoClients(): World {
  const world = signedIn(api)
  const other = aClient({ name: 'Apples & Pears' })
  const account = anAccount(other.id, { platform: 'linkedin' })
  world.clients = [world.client, other]
  world.accounts = [world.account, account]
  world.posts = [
    aPost(world.account, { content: 'Coffee', status: 'scheduled', scheduledFor: at('10', '08:00') }),
    aPost(account, { content: 'Pears', status: 'published', scheduledFor: at('11', '09:00') }),
    aPost(account, { content: 'Cider', status: 'pending', scheduledFor: at('12', '10:00') }),
    aPost(account, { content: 'Juice', status: 'draft', scheduledFor: at('12', '11:00') }),
  ]
  planned(world)
  return world
}
const coffee = 'Facebook, 9:00 AM, Scheduled, Blue Cup: Coffee'
const pears = 'LinkedIn, 10:00 AM, Published, Apples & Pears: Pears'

describe('A tile', () => {
  it("has its client's initials under All Clients, and none under one client [P10.3]", async () => {
    const world = withTwoClients()
    const { user } = renderRoute(march)
    await shows(coffee, pears)
    const marks = () =>
      screen.getAllByTestId('calendar-post').map((tile) => within(tile).queryAllByTestId('client-mark')[0]?.textContent)
    expect(marks()).toEqual(['BC', 'AP'])
    await user.click(screen.getByTestId('select-client'))
    await user.click(await findOption('Blue Cup'))
    await shows('Facebook, 9:00 AM, Scheduled: Coffee')
    expect(marks()).toEqual([undefined])
    expect(asked().at(-1)).toBe(`?view=month&month=2031-03&client=${world.client.id}`)
  })

  it('tells its state by an icon of its own and in words [P10.6]', async () => {
    const world = withTwoClients()
    const { user } = renderRoute(march)
    await user.click(await screen.findByTestId('toggle-drafts'))
    await shows(
      coffee,
      pears,
      'LinkedIn, 11:00 AM, Pending Review, Apples & Pears: Cider',
      'LinkedIn, 12:00 PM, Draft, Apples & Pears: Juice',
    )
    const icons = screen
      .getAllByTestId('calendar-post')
      .map((tile) => [...tile.querySelectorAll('svg')].map((icon) => icon.getAttribute('class')).join())
    expect(new Set(icons).size).toBe(world.posts.length)
  })
})

describe('Show drafts and pending', () => {
  it('shows the approval steps of a post that waits, and says which one is open', async () => {
    const world = withTwoClients()
    const step = {
      need: 'any' as const,
      approvedBy: [],
      waitsFor: [],
      reminded: null,
      escalatedTo: null,
      reassigned: false,
    }
    const steps: Post['steps'] = [
      { ...step, id: newId(), name: 'Text', who: { kind: 'role', role: 'manager' }, state: 'approved' },
      { ...step, id: newId(), name: 'Legal', who: { kind: 'client' }, state: 'open' },
    ]
    world.posts = world.posts.map((post) => (post.status === 'pending' ? { ...post, steps } : post))
    const { user } = renderRoute(march)
    await shows(coffee, pears)
    await user.click(screen.getByRole('checkbox', { name: 'Show drafts and pending' }))
    expect(await screen.findByLabelText(/Pending Review, step 2 of 2: Legal/)).toBeTruthy()
    expect(screen.getByTestId('tile-steps').children).toHaveLength(2)
  })

  it('is off at first, shows them as outlined tiles, and is remembered [P10.5]', async () => {
    withTwoClients()
    const { user } = renderRoute(march)
    await shows(coffee, pears)
    await user.click(screen.getByRole('checkbox', { name: 'Show drafts and pending' }))
    await waitFor(() => expect(tiles()).toHaveLength(4))
    expect(screen.getAllByTestId('calendar-post').map((tile) => tile.className.includes('border-dashed'))).toEqual([
      false,
      false,
      true,
      true,
    ])
    leavePage()
    renderRoute(march)
    await waitFor(() => expect(tiles()).toHaveLength(4))
    expect(asked()).toEqual(['', '&drafts=true', '&drafts=true'].map((drafts) => `?view=month&month=2031-03${drafts}`))
  })
})

describe('The views', () => {
  it('are month at first, week and list one press away, and the last one is remembered [P10.4]', async () => {
    withTwoClients()
    const { user } = renderRoute(march)
    await shows(coffee, pears)
    expect(screen.getByRole('grid', { name: 'Month' })).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'List' }))
    await screen.findByTestId('calendar-agenda')
    await shows(coffee, pears)
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Monday, March 10',
      'Tuesday, March 11',
    ])
    await user.click(screen.getByRole('radio', { name: 'Week' }))
    await screen.findByRole('grid', { name: 'Week' })
    expect(screen.getByTestId('text-month').textContent).toBe('Feb 23 – Mar 1, 2031')
    await user.click(screen.getByRole('button', { name: 'Next week' }))
    await waitFor(() => expect(screen.getByTestId('text-month').textContent).toBe('Mar 2 – 8, 2031'))
    expect(asked()).toEqual([
      '?view=month&month=2031-03',
      '?view=list&month=2031-03',
      '?view=week&day=2031-02-23',
      '?view=week&day=2031-03-02',
    ])
    leavePage()
    renderRoute('/calendar')
    await screen.findByRole('grid', { name: 'Week' })
    await waitFor(() => expect(asked().at(-1)).toBe('?view=week'))
  })

  it('say in words and with an icon what stopped a post, also below each other', async () => {
    const world = signedIn(api)
    const stopped = { status: 'scheduled', scheduledFor: at('10', '08:00') } as const
    world.posts = [
      aPost(world.account, { ...stopped, content: 'Held', delivery: 'held', heldBecause: 'not-connected' }),
      aPost(world.account, { ...stopped, content: 'Failed', delivery: 'failed' }),
      aPost(world.account, { ...stopped, content: 'Unknown', delivery: 'unknown' }),
      aPost(world.account, { ...stopped, content: 'Well' }),
    ]
    planned(world)
    renderRoute(`${march}&view=list`)
    const rows = await screen.findAllByTestId('calendar-post')
    const states = ['On hold', 'Publishing failed', 'Outcome unknown', 'Scheduled']
    expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual(states)
    expect(rows.map((row) => row.lastElementChild?.querySelectorAll('svg').length)).toEqual([1, 1, 1, 1])
  })

  it('have placeholders in their days while the posts load [P10.10]', async () => {
    const world = withTwoClients()
    const { until, open } = gate()
    api.on('getCalendar', async () => {
      await until
      return { from: '2031-02-23', to: '2031-04-05', posts: world.posts.slice(0, 1).map(tileOf), more: [] }
    })
    renderRoute(march)
    await waitFor(() => expect(screen.getAllByTestId('skeleton-day')).toHaveLength(42))
    open()
    await shows(coffee)
    expect(screen.queryAllByTestId('skeleton-day')).toEqual([])
  })
})

describe('A day', () => {
  it('with more posts than the calendar has opens with all of them [P10.11]', async () => {
    const world = signedIn(api)
    world.posts = Array.from({ length: 7 }, (_, index) =>
      aPost(world.account, { content: `Number ${index}`, status: 'scheduled', scheduledFor: at('10', `1${index}:00`) }),
    )
    planned(world, [{ day: '2031-03-10', count: 3 }])
    const { user } = renderRoute(march)
    await user.click(await screen.findByText('+4 more'))
    const dialog = await findDialog('Monday, March 10')
    await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(7))
    expect(asked()).toEqual(['?view=month&month=2031-03', '?view=day&day=2031-03-10'])
  })

  it('opens the composer for a new post, after a choice of the client where none is chosen [P10.7]', async () => {
    const world = withTwoClients()
    const { user, path } = renderRoute(march)
    await shows(coffee, pears)
    await user.click(screen.getByRole('button', { name: 'New post on Thursday, March 13' }))
    const dialog = await findDialog('New Post')
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(within(dialog).getAllByText('Choose a client')).toHaveLength(2))
    await user.click(within(dialog).getByTestId('select-new-post-client'))
    await user.click(await findOption('Blue Cup'))
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(path()).toBe(`/clients/${world.client.id}?tab=posts&compose=true&on=2031-03-13`))
    const field = await screen.findByLabelText<HTMLInputElement>('Date and time')
    expect(field.value).toBe('2031-03-13T09:00')
  })
})
