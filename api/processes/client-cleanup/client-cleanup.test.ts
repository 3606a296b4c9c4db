import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Commands } from '../../core/commands.ts'
import { openCommentWords, salted } from '../../features/comments/words.ts'
import { ConnectionLost } from '../../networks/port.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { createClientCleanup, type ClientCleanup } from './client-cleanup.ts'

let world: World
let clientCleanup: ClientCleanup | null

beforeEach(async () => {
  clientCleanup = null
  world = await openWorld()
})
afterEach(async () => {
  await clientCleanup?.stop()
  await world.remove()
})

const start = async () => {
  const { projector, events } = world
  // It follows the log, and has no way to read the whole of it.
  clientCleanup = createClientCleanup({
    ...world,
    events: { subscribe: (...asked) => events.subscribe(...asked) },
    waitFor: (...asked) => projector.waitFor(...asked),
  })
  await clientCleanup.start()
}
const within = <T>(assertion: () => Promise<T>) => vi.waitFor(assertion, { ...patience, interval: 10 })
const lastOf = async (stream: string) => (await world.eventsOf(stream)).at(-1)
const isDeleted = (postId: string) =>
  within(async () =>
    expect(await lastOf(`post-${postId}`)).toMatchObject({ type: 'PostDeleted', data: { because: 'client-removed' } }),
  )
const removeClient = (clientId: string) =>
  world.commands.agency(world.agencyId, { type: 'RemoveClient', clientId }, world.by)

const figures = [{ platform: 'facebook', views: 5, likes: 1, comments: 1, shares: 1, engagement: 3 }] as const
type Sample = Parameters<Commands['sample']>[1]
const addSamples: Sample = { type: 'AddSampleFigures', figures }

it(
  "deletes a removed client's posts, accounts, tokens and sample figures, and leaves other clients alone",
  { tags: 'long' },
  async () => {
    const [gone, kept] = [await world.addClient(), await world.addClient()]
    const connected = await world.addAccount(gone)
    const never = await world.addAccount(gone, 'linkedin', false)
    const other = await world.addAccount(kept)
    const posts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => world.schedule(connected, `Post ${index}`)),
    )
    const keptPost = await world.schedule(other, 'Kept')
    await world.commands.sample(gone, addSamples, world.by)
    await world.commands.sample(kept, addSamples, world.by)
    await start()
    await removeClient(gone)
    for (const postId of posts) await isDeleted(postId)
    await within(async () => {
      expect(await world.views.posts.count({ clientId: gone })).toBe(0)
      expect(await world.views.socialAccounts.count({ clientId: gone })).toBe(0)
      expect(await world.views.analytics.count({ clientId: gone })).toBe(0)
    })
    expect(await world.vault.get(connected.accountId)).toBeNull()
    expect(await world.vault.get(other.accountId)).not.toBeNull()
    expect(await world.post(keptPost)).toMatchObject({ deleted: false })
    expect(await world.views.socialAccounts.count({ clientId: kept })).toBe(1)
    expect(
      (await world.eventsOf(`client-${gone}`)).filter(({ type }) => type === 'SocialAccountDisconnected'),
    ).toHaveLength(2)
    expect((await world.commands.loadClient(gone)).state.accounts[never.accountId]).toMatchObject({ isRemoved: true })
  },
)

it("deletes the names and addresses of a removed client's contacts, and of a removed contact", async () => {
  const [gone, kept] = [await world.addClient(), await world.addClient()]
  const { clientContacts, agencyId, clock, by } = world
  const add = async (clientId: string, name: string) => {
    const id = uuidv7()
    const email = `${name.toLowerCase()}@example.com`
    await clientContacts.put({ id, clientId, agencyId, name, email, enteredBy: 'user-ada', addedAt: clock.now() })
    await world.commands.client(clientId, { type: 'AddClientContact', contactId: id }, by)
    return id
  }
  await add(gone, 'Nora')
  const [lea, mia] = [await add(kept, 'Lea'), await add(kept, 'Mia')]
  await start()
  await removeClient(gone)
  await world.commands.client(kept, { type: 'RemoveClientContact', contactId: lea }, by)
  const table = await world.records.table<{ readonly id: string }>({ table: 'client_contacts' })
  await within(async () => expect(await table.count()).toBe(1))
  expect(await clientContacts.of(kept)).toMatchObject([{ id: mia, name: 'Mia' }])
})

it("revokes a removed client's tokens at their network", async () => {
  const gone = await world.addClient()
  const account = await world.addAccount(gone, 'twitter')
  const connection = await world.vault.get(account.accountId)
  await start()
  await removeClient(gone)
  await within(async () => expect(await world.vault.get(account.accountId)).toBeNull())
  if (!connection) throw new Error('It was not connected')
  await within(() => expect(world.networks.twitter.check(connection)).rejects.toBeInstanceOf(ConnectionLost))
})

it("erases the words of comments on a removed client's posts", async () => {
  const [gone, kept] = [await world.addClient(), await world.addClient()]
  const words = await openCommentWords(world.records)
  const texts = { words: salted('Some words'), earlier: null, suggestion: null }
  const record = { agencyId: world.agencyId, authorId: 'ada', ...texts }
  for (let index = 0; index < 101; index++) await words.insert({ id: `one.${index}`, clientId: gone, ...record })
  await words.insert({ id: 'two.1', clientId: kept, ...record })
  await start()
  await removeClient(gone)
  await within(async () => expect(await words.find('clientId', gone)).toEqual([]))
  expect(await words.find('clientId', kept)).toHaveLength(1)
})

it('handles a removal that happened while it was stopped, and appends no event twice', async () => {
  const clientId = await world.addClient()
  const account = await world.addAccount(clientId)
  const first = await world.schedule(account, 'One')
  await removeClient(clientId)
  await start()
  await isDeleted(first)
  await clientCleanup?.stop()
  const before = await world.events.head()

  await world.close()
  world = await openWorld(world)
  await start()
  const marker = await world.addClient()
  const late = await world.schedule(await world.addAccount(marker), 'Late')
  await removeClient(marker)
  await isDeleted(late)
  expect(before).not.toBeNull()
  expect((await world.eventsOf(`post-${first}`)).filter(({ type }) => type === 'PostDeleted')).toHaveLength(1)
})

it('deletes posts and accounts that were added after the removal', async () => {
  const clientId = await world.addClient()
  const { accountId } = await world.addAccount(clientId)
  await removeClient(clientId)
  await start()
  const postId = uuidv7()
  const data = {
    clientId,
    accountId,
    platform: 'facebook',
    content: 'Late',
    imageUrl: null,
    scheduledFor: null,
    generationId: null,
  }
  const metadata = {
    ...world.by,
    eventId: uuidv7(),
    at: world.clock.now(),
    causationId: postId,
    schemaVersion: 1,
    clientId,
  }
  const fact = catalogue.encode({ type: 'PostWritten', data })
  await world.events.append(
    `post-${postId}`,
    'no-stream',
    chainHashes(`post-${postId}`, { revision: -1, hash: null }, [{ ...fact, metadata }]),
  )
  await isDeleted(postId)
  await within(async () => expect(await world.vault.get(accountId)).toBeNull())
})

it('deletes the tokens of a disconnected account, but not of one that was connected again', async () => {
  const clientId = await world.addClient()
  const [left, back] = [await world.addAccount(clientId), await world.addAccount(clientId, 'linkedin')]
  for (const { accountId } of [left, back]) {
    await world.commands.client(clientId, { type: 'DisconnectSocialAccount', accountId, because: 'asked' }, world.by)
  }
  world.clock.advance(1)
  await world.connectAccount(back)
  await start()
  await within(async () => expect(await world.vault.get(left.accountId)).toBeNull())
  const marker = await world.addClient()
  await world.addAccount(marker)
  const late = await world.schedule(await world.addAccount(marker), 'Marker')
  await removeClient(marker)
  await isDeleted(late)
  expect(await world.vault.get(back.accountId)).not.toBeNull()
})

it('writes its checkpoint less often than posts are written', { tags: 'long' }, async () => {
  const [kept, gone] = [await world.addClient(), await world.addClient()]
  const account = await world.addAccount(kept)
  const posts = 50
  const checkpoints = await world.records.table<Checkpoint>({ table: 'checkpoints' })
  /** Every write of the records takes the next version. */
  const writesSoFar = async () => {
    await checkpoints.put({ id: 'marker', position: '' })
    return (await checkpoints.get('marker'))?.version ?? Number.NaN
  }
  await start()
  const before = await writesSoFar()
  for (let index = 0; index < posts; index++) await world.schedule(account, `Post ${index}`)
  const last = await world.schedule(await world.addAccount(gone), 'Last')
  const written = await world.events.head()
  await removeClient(gone)
  await isDeleted(last)
  expect((await writesSoFar()) - before).toBeLessThan(posts)
  await clientCleanup?.stop()
  const reached = (await checkpoints.get('farewell'))?.record.position ?? ''
  expect(reached > (written ?? '')).toBe(true)
})

it('sets a client with an unreadable post aside, and cleans up after it and the others as far as it can', async () => {
  const [damaged, sound] = [await world.addClient(), await world.addClient()]
  const [account, other] = [await world.addAccount(damaged), await world.addAccount(sound)]
  const unreadable = await world.schedule(account, 'Unreadable')
  const readable = await world.schedule(account, 'Readable')
  const ofOther = await world.schedule(other, 'Other')
  const stream = `post-${unreadable}`
  const stored: StoredEvent[] = []
  for await (const batch of world.events.read(stream)) stored.push(...batch)
  const head = stored.at(-1) ?? expect.fail('Nothing was written')
  const { hash, prevHash: _, ...metadata } = head.metadata
  const unknown = { name: 'PostTeleported', data: {}, metadata: { ...metadata, eventId: uuidv7() } }
  await world.events.append(stream, head.revision, chainHashes(stream, { revision: head.revision, hash }, [unknown]))
  await start()
  await removeClient(damaged)
  const removedAt = await world.events.head()
  await removeClient(sound)
  await isDeleted(readable)
  await isDeleted(ofOther)
  await within(async () => expect(await world.vault.get(account.accountId)).toBeNull())
  await within(async () => expect(await world.vault.get(other.accountId)).toBeNull())
  await clientCleanup?.stop()
  const checkpoints = await world.records.table<Checkpoint>({ table: 'checkpoints' })
  expect(((await checkpoints.get('farewell'))?.record.position ?? '') < (removedAt ?? '')).toBe(true)
})
