/** The palette, the agency's name in the shell, and the place of the audit in the navigation. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dialogs, findDialog, renderRoute, type App } from '../../test/app.tsx'
import { list, refuse, startFakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aClient, anAccount, aPost, cardOf } from '../../test/things.ts'

const api = startFakeApi()

async function open(world: World, address = '/clients') {
  const app = renderRoute(address)
  await screen.findByText(world.client.name, { selector: 'h2' })
  await app.user.keyboard('{Control>}k{/Control}')
  await screen.findByTestId('palette')
  await waitFor(() => expect(document.activeElement).toBe(input()))
  return app
}
const input = () => screen.getByTestId<HTMLInputElement>('palette-input')
const options = () => within(screen.getByTestId('palette')).queryAllByRole('option').map(nameOf)
const nameOf = (option: HTMLElement) => option.querySelector('span')?.textContent ?? ''
const type = ({ user }: App, text: string) => user.type(input(), text)
const searches = () => api.sent('listAllPosts').map(({ url }) => url.searchParams.get('q'))

function withPosts(): World {
  const world = signedIn(api)
  const other = aClient({ name: 'Apples & Pears' })
  const account = anAccount(other.id)
  world.clients = [world.client, other]
  world.accounts = [world.account, account]
  world.posts = [
    aPost(world.account, { content: 'Rhubarb cake' }),
    aPost(account, { content: 'Cider for all', status: 'pending' }),
  ]
  api.on('listAllPosts', ({ query: { q = '' } }) =>
    list(world.posts.filter(({ content }) => content.toLowerCase().includes(q.toLowerCase())).map(cardOf), {}),
  )
  return world
}

describe('The palette', () => {
  it('opens by Ctrl and K and by its button, and the list of shortcuts names it [P14.1]', async () => {
    const { user } = await open(signedIn(api))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialogs()).toBe(0))
    await user.click(screen.getByTestId('button-palette'))
    await screen.findByTestId('palette')
    await user.keyboard('{Escape}')
    await user.click(screen.getByTestId('button-shortcuts'))
    const help = await findDialog('Keyboard shortcuts')
    within(help).getByText('Search and commands')
  })

  it('leads to screens, the audit among them, and to clients, as they are typed [P14.2]', async () => {
    const app = await open(withPosts())
    await type(app, 'aud')
    await waitFor(() => expect(options()).toEqual(['Audit']))
    await app.user.clear(input())
    await type(app, 'pea')
    await waitFor(() => expect(options()).toContain('Apples & Pears'))
    await app.user.keyboard('{Enter}')
    await waitFor(() => expect(app.path()).toContain('/clients/'))
    expect(dialogs()).toBe(0)
  })

  it('finds posts by their text: the server is asked once typing pauses, and no second time before it is left [P14.3]', async () => {
    const world = withPosts()
    const app = await open(world)
    await type(app, 'rhubarb')
    await screen.findByTestId('palette-post')
    expect(searches()).toEqual(['rhubarb'])
    expect(api.sent('listAllPosts')[0]?.url.searchParams.get('limit')).toBe('8')
    await app.user.keyboard('{Enter}')
    await waitFor(() => expect(app.path()).toBe(`/content/${world.posts[0]?.id}?client=${world.client.id}`))
  })

  it('ends a search that another text replaces, and shows the results of the last one [P14.4]', async () => {
    const world = withPosts()
    const app = await open(world)
    const { until, open: release } = gate()
    const ended: string[] = []
    api.on('listAllPosts', async ({ query: { q } }) => {
      if (q === 'cake') await until
      ended.push(q ?? '')
      return list(q === 'cake' ? world.posts.map(cardOf) : [], {})
    })
    await type(app, 'cake')
    await waitFor(() => expect(searches()).toEqual(['cake']))
    await app.user.clear(input())
    await type(app, 'tea')
    await screen.findByText('No results')
    expect(ended).toEqual(['tea'])
    release()
    await waitFor(() => expect(ended).toEqual(['tea', 'cake']))
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve))
    expect(screen.queryByTestId('palette-post')).toBeNull()
    expect(screen.queryByText('No results')).not.toBeNull()
    expect(searches()).toEqual(['cake', 'tea'])
  })

  it('says when the posts could not be searched [P14.5]', async () => {
    const app = await open(withPosts())
    api.on('listAllPosts', () => refuse(503, 'The store is busy.'))
    await type(app, 'cake')
    await screen.findByText('The posts could not be searched. Try again.')
  })

  it('begins a post for a client, after a choice where there are several [P14.6]', async () => {
    const app = await open(withPosts())
    await type(app, 'new p')
    await waitFor(() => expect(options()).toEqual(['New post for Blue Cup', 'New post for Apples & Pears']))
    await app.user.clear(input())
    await app.user.click(screen.getByText('New post'))
    await waitFor(() => expect(input().value).toBe('New post '))
    await app.user.click(await screen.findByText('New post for Blue Cup'))
    await waitFor(() => expect(app.path()).toContain('compose=true'))
  })
})

describe('The shell', () => {
  it("has the agency's name [P14.7]", async () => {
    signedIn(api)
    renderRoute('/clients')
    expect((await screen.findByTestId('text-agency')).textContent).toBe('North Star')
  })

  it('highlights Settings while the audit is open [P14.8]', async () => {
    signedIn(api)
    api.on('getAuditAbout', () => ({ since: '2030-01-01T00:00:00.000Z', clients: [], people: [] }))
    api.on('searchAudit', () => ({ items: [], next: null }))
    api.on('listAuditorLinks', () => [])
    api.on('listAuditCheckpoints', () => [])
    renderRoute('/audit')
    await screen.findByRole('heading', { name: 'Audit' })
    expect(screen.getByTestId('nav-settings').getAttribute('aria-current')).toBe('true')
    expect(document.querySelectorAll('nav [aria-current]')).toHaveLength(1)
  })
})
