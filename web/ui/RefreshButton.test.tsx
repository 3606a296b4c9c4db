/** Refresh, and the line beside it that tells what others changed. */
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ChangeKind } from '../../api/contract/index.ts'
import { renderRoute } from '../test/app.tsx'
import { refuse, startFakeApi } from '../test/fake-api.ts'
import { signedIn, type World } from '../test/signed-in.ts'
import { aClient, aPost, newId } from '../test/things.ts'

const api = startFakeApi()

/** The pause between two questions to the server is skipped. */
const pauseMs = 1_000
let skipped = 0
const now = performance.now.bind(performance)
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now() + skipped))
afterEach(() => void vi.restoreAllMocks())

const texts = () => screen.queryAllByTestId('post-content').map(({ textContent }) => textContent)
const remain = (...shown: readonly string[]) => waitFor(() => expect(texts()).toEqual(shown))
const line = () => screen.getByTestId('news').textContent
const hears = (told: string) => waitFor(() => expect(line()).toBe(told))
const refresh = () => screen.getByText(/^Refresh/, { selector: 'button' })

/** Tells of a change by another user. The server counts all since the list was read. */
function tell(world: World, kind: ChangeKind, clientId: string, count: number): void {
  skipped += pauseMs
  api.on('countNews', () => ({ missed: false, changed: [{ kind, clientId, count }] }))
  world.ring({ missed: false, changes: [{ kind, id: newId(), clientId, position: `r${count}` }] })
}

async function openPosts(world: World) {
  const { user } = renderRoute(`/content?client=${world.client.id}`)
  await screen.findByText('All Posts')
  await waitFor(() => expect(screen.queryByText('Loading posts')).toBeNull())
  // The stream opens at the first sign of a person.
  await user.hover(refresh())
  await waitFor(() => expect(api.sent('getNews')).toHaveLength(1))
  return user
}

describe('What others changed', () => {
  it('is counted beside Refresh, changes nothing by itself, and comes when Refresh is pressed', async () => {
    const world = signedIn(api)
    world.posts = [aPost(world.account, { content: 'There before' })]
    const user = await openPosts(world)
    const lists = api.sent('listPosts').length
    world.posts = [aPost(world.account, { content: 'From elsewhere' }), ...world.posts]
    tell(world, 'posts', world.client.id, 1)
    await hears('1 post changed')
    expect(refresh().textContent).toBe('Refresh1 post changed')
    tell(world, 'posts', world.client.id, 2)
    await hears('2 posts changed')
    expect(texts()).toEqual(['There before'])
    expect(api.sent('listPosts')).toHaveLength(lists)
    world.position = 'p1'
    await user.click(refresh())
    await remain('From elsewhere', 'There before')
    await hears('')
    expect(document.activeElement).toBe(refresh())
    expect(api.sent('countNews').map(({ url }) => url.searchParams.get('since'))).toEqual(['p0', 'p0'])
  })

  it('of another client is not told on this list', async () => {
    const world = signedIn(api)
    await openPosts(world)
    tell(world, 'posts', newId(), 1)
    tell(world, 'clients', world.client.id, 1)
    tell(world, 'posts', world.client.id, 3)
    api.on('countNews', () => ({
      missed: false,
      changed: [
        { kind: 'posts', clientId: newId(), count: 5 },
        { kind: 'clients', clientId: world.client.id, count: 7 },
        { kind: 'posts', clientId: world.client.id, count: 3 },
      ],
    }))
    await hears('3 posts changed')
    expect(api.sent('countNews')).toHaveLength(1)
  })

  it('is told on the list of clients as well', async () => {
    const world = signedIn(api)
    const { user } = renderRoute('/clients')
    await screen.findByTestId('client-card')
    await user.hover(refresh())
    await waitFor(() => expect(api.sent('getNews')).toHaveLength(1))
    const client = aClient({ name: 'Red Cup' })
    world.clients = [...world.clients, client]
    tell(world, 'clients', client.id, 1)
    await hears('1 client changed')
    expect(screen.getAllByTestId('client-card')).toHaveLength(1)
    await user.click(refresh())
    await waitFor(() => expect(screen.getAllByTestId('client-card')).toHaveLength(2))
  })

  it('that can not be counted may be anything', async () => {
    const world = signedIn(api)
    await openPosts(world)
    tell(world, 'posts', world.client.id, 1)
    api.on('countNews', () => refuse(503, 'Busy'))
    await hears('There may be changes')
  })

  it('is not heard while the tab is hidden; the stream goes on where it stopped', async () => {
    const world = signedIn(api)
    await openPosts(world)
    onTestFinished(() => void Reflect.deleteProperty(document, 'visibilityState'))
    const show = (state: 'hidden' | 'visible') => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    tell(world, 'posts', world.client.id, 1)
    await hears('1 post changed')
    show('hidden')
    await waitFor(() => expect(world.listeners()).toBe(0))
    show('visible')
    await waitFor(() => expect(world.listeners()).toBe(1))
    const [, second] = api.sent('getNews')
    expect(second?.url.searchParams.get('since')).toBe('r1')
  })
})
