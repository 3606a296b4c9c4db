/** Lists that come page by page, and their Refresh. */
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderRoute } from '../test/app.tsx'
import { cut, list, startFakeApi } from '../test/fake-api.ts'
import { gate } from '../test/gate.ts'
import { signedIn } from '../test/signed-in.ts'
import { aPost, cardOf } from '../test/things.ts'

const api = startFakeApi()

const texts = () => screen.queryAllByTestId('post-content').map(({ textContent }) => textContent)
const remain = (...shown: readonly string[]) => waitFor(() => expect(texts()).toEqual(shown))
const refresh = () => screen.getByText(/^Refresh/, { selector: 'button' })

describe('A list', () => {
  it('of several pages is read page by page, and shown whole', async () => {
    const world = signedIn(api)
    const pages = ['One', 'Two', 'Three'].map((content) => [cardOf(aPost(world.account, { content }))])
    api.on('listPosts', ({ params, query }) => {
      const at = Number(query.cursor ?? 0)
      const next = `/api/clients/${params.id}/posts?view=card&cursor=${at + 1}`
      return list(pages[at] ?? [], { position: 'p0', ...(at < 2 && { next }) })
    })
    renderRoute(`/content?client=${world.client.id}`)
    await remain('One', 'Two', 'Three')
    expect(api.sent('listPosts').map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, '1', '2'])
  })

  it('of which a page is missing is told, and comes with Try again', async () => {
    const world = signedIn(api)
    const pages = ['One', 'Two'].map((content) => [cardOf(aPost(world.account, { content }))])
    let isAway = true
    api.on('listPosts', ({ params, query }) => {
      if (query.cursor === undefined)
        return list(pages[0] ?? [], { next: `/api/clients/${params.id}/posts?view=card&cursor=1` })
      return isAway ? cut : (pages[1] ?? [])
    })
    const { user } = renderRoute(`/content?client=${world.client.id}`)
    await screen.findByText(/^The posts could not be loaded/)
    expect(texts()).toEqual([])
    isAway = false
    await user.click(screen.getByText('Try again'))
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
