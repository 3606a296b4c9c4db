/** Facts of real servers (EventStoreDB 23.10.6), shown on the test server by the official client. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ANY, EventStoreDBClient, eventTypeFilter, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../test/folder.ts'
import { newStream } from '../samples.ts'
import { selfSigned } from './certificate.ts'
import { startCluster, type TestCluster } from './cluster.ts'
import { startEventStore, type TestEventStore } from './server.ts'

const taken = (bytes = 0) => jsonEvent({ type: 'Taken', data: { content: 'x'.repeat(bytes) } })
const opened: EventStoreDBClient[] = []
const open = (url: string) => {
  const client = EventStoreDBClient.connectionString(url)
  opened.push(client)
  return client
}
const own = { username: 'socialai', password: 'unused' }
/** The client batches appends, except one with its own credentials. */
const ways = [
  ['in a batch', {}],
  ['alone', { credentials: own }],
] as const
const countIn = async (events: AsyncIterable<unknown>) => {
  let count = 0
  for await (const _ of events) count += 1
  return count
}
afterEach(async () => {
  for (const client of opened.splice(0)) await client.dispose()
})

describe('One node', () => {
  let server: TestEventStore
  let client: EventStoreDBClient
  beforeEach(async () => {
    server = await startEventStore()
    client = open(server.url)
  })
  afterEach(() => server.close())

  it.each(ways)(
    'refuses an append %s of more than 1 MiB in all, and stores none of it',
    { tags: 'long' },
    async (_, way) => {
      const stream = newStream()
      await client.appendToStream(stream, taken(1_040_000), { ...way, expectedRevision: NO_STREAM })
      await expect(
        client.appendToStream(stream, [taken(600_000), taken(600_000)], { ...way, expectedRevision: 0n }),
      ).rejects.toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: 1024 * 1024 })
      expect(await countIn(client.readStream(stream))).toBe(1)
    },
  )

  it('judges the deadline of a batched append by its own clock, and not that of a single one', async () => {
    server.faults.clockAheadMs = 6_000
    const stream = newStream()
    const options = { expectedRevision: ANY, deadline: 5_000 } as const
    await expect(client.appendToStream(stream, taken(), options)).rejects.toMatchObject({
      type: 'deadline-exceeded',
    })
    await client.appendToStream(stream, taken(), { ...options, credentials: own })
    expect(await countIn(client.readStream(stream))).toBe(1)
  })

  it.each(ways)(
    'answers a conflict %s without an error where the client asks for that, and stores nothing',
    async (_, way) => {
      const quiet = open(`${server.url}&throwOnAppendFailure=false`)
      const stream = newStream()
      await quiet.appendToStream(stream, taken(), { ...way, expectedRevision: NO_STREAM })
      expect(await quiet.appendToStream(stream, taken(), { ...way, expectedRevision: NO_STREAM })).toMatchObject({
        success: false,
      })
      expect(await countIn(client.readStream(stream))).toBe(1)
    },
  )

  it('has events of its own in the log', async () => {
    const types = new Set<string>()
    for await (const { event } of client.readAll()) if (event) types.add(event.type)
    expect([...types]).toEqual(['$UserCreated', '$User'])
  })

  it('sends a checkpoint after each search window times interval, and says when it has caught up', async () => {
    const stream = newStream()
    await client.appendToStream(
      stream,
      Array.from({ length: 100 }, () => taken()),
      { expectedRevision: NO_STREAM },
    )
    let checkpoints = 0
    const checkpointReached = () => void (checkpoints += 1)
    const subscription = client.subscribeToAll({
      filter: eventTypeFilter({ regex: '^Missing$', maxSearchWindow: 10, checkpointInterval: 3, checkpointReached }),
    })
    subscription.on('data', () => {})
    await new Promise<void>((resolve) => subscription.on('caughtUp', resolve))
    expect(checkpoints).toBe(Math.floor(server.log.all.length / 30))
    await subscription.unsubscribe()
  })
})

describe('A user of no group', () => {
  let folder: string
  let server: TestEventStore
  let client: EventStoreDBClient
  let admin: EventStoreDBClient
  beforeEach(async () => {
    folder = await temporaryFolder('rights')
    const certificate = selfSigned()
    await writeFile(join(folder, 'ca.crt'), certificate.cert)
    server = await startEventStore({
      logins: [
        { username: 'admin', password: 'changeit' },
        { ...own, isAdmin: false },
      ],
      certificate,
    })
    const ca = encodeURIComponent(join(folder, 'ca.crt'))
    const as = (login: string) =>
      open(`${server.url.replace('esdb://127.0.0.1', `esdb://${login}@localhost`)}&tlsCAFile=${ca}`)
    client = as('socialai:unused')
    admin = as('admin:changeit')
  })
  afterEach(async () => {
    await server.close()
    await removeFolder(folder)
  })

  it('reads streams, and $all only once its metadata names the user', async () => {
    const stream = newStream()
    await client.appendToStream(stream, taken(), { expectedRevision: NO_STREAM })
    expect(await countIn(client.readStream(stream))).toBe(1)
    await expect(countIn(client.readAll())).rejects.toMatchObject({ type: 'access-denied' })
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'socialai'] } })
    expect(await countIn(client.readAll())).toBeGreaterThan(1)
  })

  it.each(ways)('appends %s to no stream of the server, and so grants itself no right', async (_, way) => {
    const denied = { type: 'access-denied' }
    const toAll = { acl: { readRoles: ['$admins', 'socialai'] } }
    const before = server.log.all.length
    await expect(client.appendToStream('$mine', taken(), way)).rejects.toMatchObject(denied)
    await expect(client.appendToStream('$settings', taken(), way)).rejects.toMatchObject(denied)
    await expect(client.appendToStream('$all', taken(), way)).rejects.toMatchObject(denied)
    await expect(client.setStreamMetadata('$all', toAll, way)).rejects.toMatchObject(denied)
    await expect(client.setStreamMetadata('$mine', { acl: { writeRoles: ['$all'] } }, way)).rejects.toMatchObject(
      denied,
    )
    expect(server.log.all).toHaveLength(before)
    await expect(countIn(client.readAll())).rejects.toMatchObject(denied)

    // The metadata of a stream of users is theirs, as the stream is, until its list says otherwise.
    const stream = newStream()
    await client.appendToStream(stream, taken(), way)
    await client.setStreamMetadata(stream, { acl: { writeRoles: ['$admins'], metaWriteRoles: ['$admins'] } }, way)
    await expect(client.appendToStream(stream, taken(), way)).rejects.toMatchObject(denied)
    await expect(client.setStreamMetadata(stream, {}, way)).rejects.toMatchObject(denied)

    await admin.appendToStream('$mine', taken())
    await admin.setStreamMetadata('$mine', { acl: { writeRoles: ['$admins', 'socialai'] } })
    await client.appendToStream('$mine', taken(), way)
    expect(server.log.stream('$mine')).toHaveLength(2)
  })
})

describe('Three nodes', () => {
  let cluster: TestCluster
  beforeEach(async () => {
    cluster = await startCluster()
  })
  afterEach(() => cluster.close())

  it('a follower that lags misses what was just appended, unless the leader is required', async () => {
    const client = open(cluster.url('follower'))
    const stream = newStream()
    for (const replica of cluster.replicas) replica.stop()
    await client.appendToStream(stream, taken(), { expectedRevision: NO_STREAM })
    await expect(countIn(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' })
    await expect(countIn(client.readStream(stream, { requiresLeader: true }))).rejects.toMatchObject({
      type: 'not-leader',
      leader: { port: cluster.leader.port },
    })
    // The client goes to the leader that the follower named.
    await expect.poll(() => countIn(client.readStream(stream, { requiresLeader: true }))).toBe(1)
  })

  it('a follower that catches up shows everything', async () => {
    const client = open(cluster.url('follower'))
    const stream = newStream()
    for (const replica of cluster.replicas) replica.stop()
    await client.appendToStream(stream, taken(), { expectedRevision: NO_STREAM })
    for (const replica of cluster.replicas) replica.catchUp()
    expect(await countIn(client.readStream(stream))).toBe(1)
  })

  it(
    'a leader that hangs answers nothing; after an election a new client writes to the next one',
    { tags: 'long' },
    async () => {
      const client = open(cluster.url())
      const stream = newStream()
      await client.appendToStream(stream, taken(), { expectedRevision: NO_STREAM })
      const hung = cluster.leader
      hung.hang()
      await expect(
        client.appendToStream(stream, taken(), {
          expectedRevision: 0n,
          deadline: 300,
          credentials: own,
        }),
      ).rejects.toMatchObject({ type: 'deadline-exceeded' })
      cluster.elect()
      expect(cluster.leader.port).not.toBe(hung.port)
      hung.leave()
      await open(cluster.url()).appendToStream(stream, taken(), { expectedRevision: 0n })
      expect(cluster.log.entries).toHaveLength(2)
    },
  )
})
