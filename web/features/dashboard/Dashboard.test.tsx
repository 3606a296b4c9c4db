/** What needs a person, and what goes out next, as the server counts and lists it. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aPost, cardOf } from '../../test/things.ts'

const api = startFakeApi()
const none = { failed: 0, unknown: 0, held: 0, pending: 0, draft: 0 }
const rows = () => within(screen.getByTestId('card-attention')).queryAllByTestId('attention-row')

function withFailed(world: World) {
  const post = aPost(world.account, { content: 'Autumn roast', status: 'scheduled', delivery: 'failed' })
  world.posts = [post]
  const named = { post: cardOf(post), clientName: 'Blue Cup', accountName: 'Blue Cup' }
  world.attention = {
    ...world.attention,
    counts: { ...none, failed: 1 },
    posts: [{ ...named, kind: 'failed', act: 'retry' }],
  }
  return post
}

describe('The dashboard', () => {
  it('asks for no list that a user without an agency would be refused', async () => {
    signedIn(api)
    api.on('getAgency', () => refuse(404, 'No agency yet.'))
    const { path } = renderRoute('/')
    await waitFor(() => expect(path()).toBe('/onboarding'))
    for (const name of ['listClients', 'getDashboard', 'getAttention'] as const) expect(api.sent(name)).toEqual([])
  })

  it('says so when nothing needs attention and nothing is scheduled [P8.7]', async () => {
    signedIn(api)
    renderRoute('/')
    await screen.findByText('Nothing needs attention.')
    await screen.findByText('No posts scheduled.')
  })

  it('runs the one act that helps from the line, and the line goes [P8.8]', async () => {
    const world = signedIn(api)
    const post = withFailed(world)
    api.on('retryPost', () => {
      world.attention = { ...world.attention, counts: none, posts: [] }
      return post
    })
    const { user } = renderRoute('/')
    await user.click(await screen.findByRole('button', { name: 'Try again: Autumn roast' }))
    await toastIs('default', 'Trying again', 'Post is on its way once more.')
    await waitFor(() => expect(rows()).toHaveLength(0))
  })

  it('leads from a lost connection to its account [P8.9]', async () => {
    const world = signedIn(api)
    const { id: clientId } = world.client
    world.attention = {
      ...world.attention,
      connections: [
        {
          accountId: world.account.id,
          accountName: 'Cup',
          platform: 'facebook',
          clientId,
          clientName: 'Blue Cup',
          state: 'broken',
          posts: 2,
        },
      ],
    }
    renderRoute('/')
    await screen.findByText('Connection lost · 2 posts waiting')
    const link = screen.getByRole('link', { name: 'Connect account: Cup' })
    expect(link.getAttribute('href')).toBe(`/clients/${clientId}?tab=accounts`)
  })

  it('marks its entry in the navigation where something failed; the entry keeps its name [P8.10]', async () => {
    withFailed(signedIn(api))
    renderRoute('/')
    expect((await screen.findByTestId('badge-failed')).textContent).toBe('1')
    expect(screen.getByRole('link', { name: 'Dashboard' })).toBe(screen.getByTestId('nav-dashboard'))
  })
})
