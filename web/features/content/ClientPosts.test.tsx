/** A client's posts by state, network and words, as the server limits them. */
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderRoute } from '../../test/app.tsx'
import { list, refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aPost, cardOf } from '../../test/things.ts'

const api = startFakeApi()

const texts = () => screen.queryAllByTestId('post-content').map(({ textContent }) => textContent)
const remain = (...shown: readonly string[]) => waitFor(() => expect(texts()).toEqual(shown))
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
const asked = () => Object.fromEntries(api.sent('listPosts').at(-1)?.url.searchParams ?? [])

const some = (world: World) => [
  aPost(world.account, { content: 'Waits', status: 'pending', scheduledFor: '2030-02-02T09:00:00.000Z' }),
  aPost(world.account, { content: 'Waits, sooner', status: 'pending', scheduledFor: '2030-02-01T09:00:00.000Z' }),
  aPost(world.account, { content: 'Planned', status: 'scheduled' }),
  aPost(world.account, { content: 'New' }),
]

describe('The tabs', () => {
  it('have the numbers of the server, however few posts are loaded', async () => {
    const world = signedIn(api)
    world.posts = some(world)
    api.on('countPosts', () => ({
      byStatus: { draft: 1, pending: 12_000, approved: 3, scheduled: 4, published: 0, rejected: 0 },
      total: 12_008,
    }))
    renderRoute(`/content?client=${world.client.id}`)
    await waitFor(() => expect(tabs()).toEqual(['All Posts', 'Pending(12000)', 'Approved(7)', 'Published', 'Drafts']))
  })

  it('ask the server for the posts of their states; the pending ones come by planned time', async () => {
    const world = signedIn(api)
    world.posts = some(world)
    const { user } = renderRoute(`/content?client=${world.client.id}`)
    await remain('Waits', 'Waits, sooner', 'Planned', 'New')
    expect(asked()).toEqual({ view: 'card', limit: '50' })
    await user.click(screen.getByRole('tab', { name: /^Pending/ }))
    await remain('Waits, sooner', 'Waits')
    expect(asked()).toEqual({ view: 'card', limit: '50', status: 'pending', sort: 'planned' })
    await user.click(screen.getByRole('tab', { name: /^Approved/ }))
    await remain('Planned')
    expect(asked()).toEqual({ view: 'card', limit: '50', status: 'approved,scheduled' })
  })

  it('count a post where it will be as soon as the user approves it, and as before if that fails', async () => {
    const world = signedIn(api)
    world.posts = some(world)
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
    await remain('Waits, sooner', 'Waits')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    api.on('changePost', async () => {
      await answered
      return refuse(409, 'Not now.')
    })
    await user.click(screen.getAllByTestId('button-preview')[0] as HTMLElement)
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    await waitFor(() => expect(tabs()).toContain('Pending(1)'))
    expect(tabs()).toContain('Approved(2)')
    await remain('Waits')
    answer()
    await remain('Waits, sooner', 'Waits')
    expect(tabs()).toEqual(expect.arrayContaining(['Pending(2)', 'Approved(1)']))
  })
})

describe('The search', () => {
  const searchable = (world: World) =>
    api.on('listPosts', ({ query: { q, platform } }) =>
      list(
        world.posts
          .filter((post) => post.content.includes(q ?? '') && (platform?.includes(post.platform) ?? true))
          .map(cardOf),
        {},
      ),
    )
  const field = () => screen.getByTestId<HTMLInputElement>('input-search-posts')

  it('finds what the server finds, after a pause in typing, and is in the address', async () => {
    const world = signedIn(api)
    world.posts = some(world)
    searchable(world)
    const { user, path } = renderRoute(`/content?client=${world.client.id}`)
    await remain('Waits', 'Waits, sooner', 'Planned', 'New')
    const before = api.sent('listPosts').length
    await user.type(field(), 'sooner')
    await remain('Waits, sooner')
    expect(api.sent('listPosts').length - before).toBeLessThan('sooner'.length)
    expect(path()).toContain('q=sooner')
    expect(document.activeElement).toBe(field())
    await user.clear(field())
    await remain('Waits', 'Waits, sooner', 'Planned', 'New')
  })

  it('is taken from the address, and says when nothing matches', async () => {
    const world = signedIn(api)
    world.posts = some(world)
    searchable(world)
    renderRoute(`/content?client=${world.client.id}&q=lemon&platform=linkedin`)
    await screen.findByText('No posts match “lemon” on LinkedIn')
    expect(field().value).toBe('lemon')
    expect(asked()).toEqual({ view: 'card', limit: '50', q: 'lemon', platform: 'linkedin' })
  })

  it('is not offered while the client has no posts', async () => {
    const world = signedIn(api)
    renderRoute(`/content?client=${world.client.id}`)
    await screen.findByText('No posts yet')
    await waitFor(() => expect(screen.queryByTestId('input-search-posts')).toBeNull())
  })
})
