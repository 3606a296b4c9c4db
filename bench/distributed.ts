/**
 * One person's writes, and those of 32, in the distributed shape: one API, one projector and one worker on the tests'
 * servers (`npm run build` first; TEST_MONGODB_URL names the MongoDB). Reference: one append alone and one round trip
 * to MongoDB, in the same run.
 */
import { startCluster, type Cluster } from '../e2e/distributed/cluster.ts'
import { connectMongo } from '../projections/read-store/mongodb-connection.ts'
import { ApiClient } from '../api/http/client.ts'
import { onePost } from './events.ts'
import { grouped, ms, percentile, perSecond, print } from './report.ts'

const lone = Number(process.env['BENCH_WRITES'] ?? 400)
const people = 32
const each = 15
const samples = 300
const roundTrips = 12

export async function distributed(): Promise<void> {
  if (process.env['TEST_MONGODB_URL'] === undefined) {
    console.log('\nDistributed: skipped, because TEST_MONGODB_URL names no server')
    return
  }
  const cluster = await startCluster({}, ['projector1', 'worker1', 'api1'])
  try {
    const append = await appendAlone(cluster)
    const roundTrip = await roundTripAlone(cluster)
    const reference = append + roundTrips * roundTrip
    const one = await writer(cluster, 0)
    for (let warm = 0; warm < 50; warm++) await one.write()
    const took: number[] = []
    let stale = 0
    for (let count = 0; count < lone; count++) {
      const began = performance.now()
      const id = await one.write()
      took.push(performance.now() - began)
      if (!(await one.sees(id))) stale += 1
    }
    // One after the other: the server hashes only a few passwords at a time.
    const writers = []
    for (let number = 1; number <= people; number++) writers.push(await writer(cluster, number))
    const began = performance.now()
    const missed = await Promise.all(
      writers.map(async ({ write, sees }) => {
        let missed = 0
        for (let count = 0; count < each; count++) if (!(await sees(await write()))) missed += 1
        return missed
      }),
    )
    const rate = perSecond(people * each, performance.now() - began)
    const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
    stale += missed.reduce((sum, count) => sum + count, 0)
    print('Distributed shape: one API, one projector, one worker', [
      { what: 'reference: one append alone', figure: `p50 ${ms(append)}` },
      { what: 'reference: one round trip to MongoDB', figure: `p50 ${ms(roundTrip)}` },
      { what: `reference: one append and ${roundTrips} round trips`, figure: ms(reference) },
      {
        what: 'one person writes a post',
        figure: `p50 ${ms(p50)} (${(p50 / reference).toFixed(2)} of the reference), p99 ${ms(p99)}`,
      },
      { what: `${people} people write and read`, figure: `${grouped(rate)} writes/s` },
      { what: 'stale reads', figure: `${stale} of ${grouped(lone + people * each)}` },
    ])
  } finally {
    await cluster.close()
  }
}

async function appendAlone(cluster: Cluster): Promise<number> {
  const store = cluster.openLog()
  const took: number[] = []
  for (let count = 0; count < samples; count++) {
    const { stream, events } = onePost()
    const began = performance.now()
    await store.append(stream, 'no-stream', events)
    took.push(performance.now() - began)
  }
  await store.close()
  return percentile(took, 0.5)
}

async function roundTripAlone({ mongoUrl }: Cluster): Promise<number> {
  const connection = connectMongo(mongoUrl)
  const took: number[] = []
  for (let count = 0; count < samples; count++) {
    const began = performance.now()
    await connection.run((db) => db.collection('read_collections').findOne({}))
    took.push(performance.now() - began)
  }
  await connection.close()
  return percentile(took, 0.5)
}

/** A user with an agency, a client and an account. */
async function writer(cluster: Cluster, number: number) {
  const caller = new ApiClient(cluster.addressOf('api1'))
  await caller.callOrThrow('register', { body: { email: `person-${number}@example.com`, password: 'correct horse' } })
  await caller.callOrThrow('openAgency', { body: { name: 'North Star', email: 'hello@northstar.example' } })
  const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })
  const { id: socialAccountId } = await caller.callOrThrow('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'facebook', accountName: 'Blue Cup' },
  })
  return {
    write: async () => {
      const body = { socialAccountId, content: 'Fresh bread from seven' }
      return (await caller.callOrThrow('writePost', { params: { id: clientId }, body })).id
    },
    sees: async (id: string) => (await caller.ask('getPost', { params: { id } })).status === 200,
  }
}
