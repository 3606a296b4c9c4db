/** Lists that come page by page, and their Refresh. */
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderRoute } from '../test/app.tsx'
import { cut, list, startFakeApi } from '../test/fake-api.ts'
import { gate } from '../../domain/test/gate.ts'
import { signedIn, type World } from '../test/signed-in.ts'
import { aPost, cardOf } from '../test/things.ts'

const api = startFakeApi()

const texts = () => screen.queryAllByTestId('post-content').map(({ textContent }) => textContent)
const remain = (...shown: readonly string[]) => waitFor(() => expect(texts()).toEqual(shown))
const refresh = () => screen.getByText(/^Refresh/, { selector: 'button' })

describe('A list', () => {
  const inPages = (world: World, ...contents: readonly string[]) => {
    const pages = contents.map((content) => [cardOf(aPost(world.account, { content }))])
    api.on('listPosts', ({ params, query }) => {
      const at = Number(query.cursor ?? 0)
      const next = `/api/clients/${params.id}/posts?view=card&limit=50&cursor=${at + 1}`
      return list(pages[at] ?? [], { position: 'p0', total: pages.length, ...(at < pages.length - 1 && { next }) })
    })
  }
  const more = () => screen.getByTestId('button-more-posts')

  it('of several pages shows the first, and each further one when the user asks for it', async () => {
    const world = signedIn(api)
    inPages(world, 'One', 'Two', 'Three')
    const { user } = renderRoute(`/content?client=${world.client.id}`)
    await remain('One')
    screen.getByText('1 of 3 posts shown')
    await user.click(more())
    await remain('One', 'Two')
    // The keyboard goes on at the first new post.
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Two'))
    await user.click(more())
    await remain('One', 'Two', 'Three')
    screen.getByText('3 posts shown')
    expect(screen.queryByTestId('button-more-posts')).toBeNull()
    expect(api.sent('listPosts').map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, '1', '2'])
  })

  it('that is refreshed has as many pages as before', async () => {
    const world = signedIn(api)
    inPages(world, 'One', 'Two', 'Three')
    const { user } = renderRoute(`/content?client=${world.client.id}`)
    await remain('One')
    await user.click(more())
    await remain('One', 'Two')
    const asked = api.sent('listPosts').length
    await user.click(refresh())
    await waitFor(() => expect(api.sent('listPosts')).toHaveLength(asked + 2))
    await remain('One', 'Two')
  })

  it('of which a further page is missing says so, keeps the others, and comes with another try', async () => {
    const world = signedIn(api)
    const pages = ['One', 'Two'].map((content) => [cardOf(aPost(world.account, { content }))])
    let isAway = true
    api.on('listPosts', ({ params, query }) => {
      if (query.cursor === undefined)
        return list(pages[0] ?? [], { next: `/api/clients/${params.id}/posts?view=card&limit=50&cursor=1` })
      return isAway ? cut : (pages[1] ?? [])
    })
    const { user } = renderRoute(`/content?client=${world.client.id}`)
    await remain('One')
    await user.click(more())
    await screen.findByText(/^More posts could not be loaded/)
    await remain('One')
    isAway = false
    await user.click(more())
    await remain('One', 'Two')
  })

  it('that is refreshed keeps its items on the screen until the new ones are here, and asks once', async () => {
    const world = signedIn(api)
    world.posts = [aPost(world.account, { content: 'Before' })]
    const { user } = renderRoute(`/content?client=${world.client.id}`)
    await remain('Before')
    const { until, open } = gate()
    api.on('listPosts', async () => {
      await until
      return [cardOf(aPost(world.account, { content: 'After' }))]
    })
    const asked = api.sent('listPosts').length
    await user.click(refresh())
    await waitFor(() => expect(refresh().getAttribute('aria-disabled')).toBe('true'))
    await user.click(refresh())
    expect(texts()).toEqual(['Before'])
    open()
    await remain('After')
    expect(api.sent('listPosts')).toHaveLength(asked + 1)
  })
})
