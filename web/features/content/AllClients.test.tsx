/** The posts of all clients, their filters, and the address of a post. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findDialog, findOption, gone, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aClient, anAccount, aPost, newId } from '../../test/things.ts'

const api = startFakeApi()

const texts = () => screen.queryAllByTestId('post-content').map(({ textContent }) => textContent)
const remain = (...shown: readonly string[]) => waitFor(() => expect(texts()).toEqual(shown))
const card = (text: string) => {
  const found = screen.getAllByTestId('post-card').find((each) => within(each).queryByText(text))
  if (!found) throw new Error(`No card with ${text}`)
  return found
}
const asked = () => Object.fromEntries(api.sent('listAllPosts').at(-1)?.url.searchParams ?? [])

/** Two clients with a post each. */
function two(): World {
  const world = signedIn(api)
  const other = aClient({ name: 'Red Bike' })
  const account = anAccount(other.id, { platform: 'twitter', accountName: 'redbike' })
  world.clients = [world.client, other]
  world.accounts = [world.account, account]
  world.posts = [
    aPost(world.account, { content: 'Coffee', status: 'pending' }),
    aPost(account, { content: 'Bikes', status: 'pending' }),
  ]
  return world
}

describe('The Content Library', () => {
  it('offers All clients first, shows the posts of all, and remembers the choice [P9.3]', async () => {
    two()
    const { user, path } = renderRoute('/content')
    await screen.findByText('Select a Client')
    await user.click(screen.getByTestId('select-client'))
    const options = await screen.findAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['All clients', 'Blue Cup', 'Red Bike'])
    await user.click(options[0] as HTMLElement)
    await remain('Coffee', 'Bikes')
    expect(path()).toContain('client=all')
    expect(screen.getAllByRole('tab')[1]?.textContent).toBe('Pending(2)')
    expect(within(card('Bikes')).getByTestId('post-client').textContent).toBe('Red Bike')
    expect(card('Bikes').querySelector('header')?.textContent).toContain('X (Twitter)redbike')
    expect(screen.getByTestId('nav-content').getAttribute('href')).toContain('client=all')
  })

  it('chooses the only client [P9.4]', async () => {
    const world = signedIn(api)
    world.posts = [aPost(world.account, { content: 'Coffee' })]
    renderRoute('/content')
    await remain('Coffee')
  })

  it('keeps filters and order in the address, and sends them to the server [P9.5]', async () => {
    two()
    const { user, path } = renderRoute(
      '/content?client=all&status=draft&origin=import&from=2030-01-01&to=2030-01-31&sort=oldest&platform=twitter',
    )
    await screen.findByText('Filters (4)')
    await waitFor(() =>
      expect(asked()).toEqual({
        view: 'card',
        limit: '50',
        status: 'draft',
        platform: 'twitter',
        origin: 'import',
        from: '2029-12-31T23:00:00.000Z',
        to: '2030-01-31T23:00:00.000Z',
        sort: 'oldest',
      }),
    )
    await user.click(screen.getByTestId('button-clear-filters'))
    await waitFor(() => expect(asked()).toEqual({ view: 'card', limit: '50', platform: 'twitter', sort: 'oldest' }))
    expect(path()).not.toContain('origin')
    await user.click(screen.getByTestId('select-sort'))
    await user.click(await findOption('By planned time'))
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'planned' }))
    expect(path()).toContain('sort=planned')
  })

  it('shows the posts that are assigned to oneself, by a filter that the address keeps', async () => {
    two()
    const { user, path } = renderRoute('/content?client=all')
    await remain('Coffee', 'Bikes')
    await user.click(screen.getByTestId('button-filters'))
    await user.click(await screen.findByTestId('select-assigned'))
    await user.click(await findOption('Me'))
    await waitFor(() => expect(asked()).toEqual({ view: 'card', limit: '50', assigned: 'me' }))
    expect(path()).toContain('assigned=me')
    await screen.findByText('Filters (1)')
    await user.click(screen.getByTestId('button-clear-filters'))
    await waitFor(() => expect(path()).toBe('/content?client=all'))
  })

  it('approves and rejects on the card [P9.6]', async () => {
    const world = two()
    const { user } = renderRoute('/content?client=all&tab=pending')
    await remain('Coffee', 'Bikes')
    await user.click(within(card('Coffee')).getByTestId('button-approve-card'))
    await remain('Bikes')
    expect(api.sent('changePost').at(-1)?.headers.get('If-Match')).toBe('"0"')
    await user.click(within(card('Bikes')).getByTestId('button-reject-card'))
    await findDialog('Reject 1 post?')
    await user.keyboard('Off brand{Enter}')
    await remain()
    await waitFor(() => expect(world.posts.map(({ status }) => status)).toEqual(['approved', 'rejected']))
    expect(world.posts[1]?.rejectionReason).toBe('Off brand')
  })

  it('opens the preview in place of an approval while the text of a card goes on [P9.6]', async () => {
    const world = two()
    world.posts = [aPost(world.account, { content: 'word '.repeat(200), status: 'pending' })]
    const { user } = renderRoute('/content?client=all')
    await user.click(await screen.findByTestId('button-approve-card'))
    await findDialog('Post Preview')
    expect(api.sent('changePost')).toEqual([])
  })
})

describe('The address of a post', () => {
  it('opens its preview over the list, and Back closes it [P9.7]', async () => {
    const world = two()
    const { user, path } = renderRoute('/content?client=all&tab=pending')
    await remain('Coffee', 'Bikes')
    await user.click(within(card('Bikes')).getByTestId('button-preview'))
    await findDialog('Post Preview')
    expect(path()).toBe(`/content/${world.posts[1]?.id}?client=all&tab=pending`)
    window.history.back()
    await gone(() => document.querySelector('[role=dialog]'))
    expect(path()).toBe('/content?client=all&tab=pending')
    await remain('Coffee', 'Bikes')
  })

  it("opens the post by itself over its client's list, and closes to that list [P9.7]", async () => {
    const world = two()
    const { user, path } = renderRoute(`/content/${world.posts[1]?.id}`)
    await findDialog('Post Preview')
    await user.keyboard('{Escape}')
    await gone(() => document.querySelector('[role=dialog]'))
    expect(path()).toBe(`/content?client=${world.clients[1]?.id}`)
    await remain('Bikes')
  })

  it('says that an unknown post was not found, and leads to the list [P9.7]', async () => {
    two()
    api.on('getPost', () => refuse(404, "This post doesn't exist."))
    renderRoute(`/content/${newId()}?client=all`)
    await screen.findByText('Post not found')
    expect(screen.getByText('Show all posts').closest('a')?.getAttribute('href')).toBe('/content?client=all')
  })
})

it('Approving says the time that the post got [P3.1]', async () => {
  const world = two()
  world.posts = [
    aPost(world.account, { content: 'Coffee', status: 'pending', scheduledFor: '2030-02-01T09:00:00.000Z' }),
  ]
  const { user } = renderRoute('/content?client=all')
  await user.click(await screen.findByTestId('button-approve-card'))
  await toastIs(
    'default',
    'Post approved',
    'Post has been approved and will be published as scheduled.',
    'Scheduled for Fri, Feb 1, 2030 at 10:00 AM.',
  )
})
