/** One publisher process: all its ports stop working when it dies, like a killed process's sockets and files. */
import type { EventStore } from '../../../../domain/event-store/port.ts'
import type { Platform } from '../../../../domain/core/values.ts'
import type { ViewReader } from '../../../../projections/core/views.ts'
import type { DuePostView } from '../../../../projections/due-posts/view.ts'
import { createCommands } from '../../../features/commands.ts'
import type { Images } from '../../../features/media/images.ts'
import { Connections } from '../../../networks/connections.ts'
import type { Network, Networks, Outcome } from '../../../networks/port.ts'
import { Vault } from '../../../networks/vault.ts'
import type { RecordDefinition, Records, RecordTable } from '../../../records/port.ts'
import type { World } from '../../test/helpers.ts'
import type { PublisherPorts } from '../ports.ts'
import { stepsAround, type Step } from './steps.ts'

/** What outlives a publisher: the requests it had sent, and networks that never receive any. */
export interface Beyond {
  readonly world: World
  readonly networks: Networks
  /** The same networks, but no request ever arrives. */
  readonly nowhere: Networks
  strikes(step: Step): boolean
  /** A request that was sent before its sender died. */
  sent(request: Promise<Outcome>): void
  /** A request still in flight; it arrives when called. */
  delayed(request: () => Promise<Outcome>): void
  /** A look-up is about to be made. */
  lookingUp(): void
}

const never = <T>() => new Promise<T>(() => {})

export class Life {
  isDead = false
  /** Unsettled port calls. */
  open = 0
  /** Completed polls for due posts, and for open outcomes. */
  readonly looks = { due: 0, unknown: 0 }
  readonly ended: Promise<void>
  #end: () => void = () => {}

  constructor(readonly beyond: Beyond) {
    this.ended = new Promise((resolve) => (this.#end = resolve))
  }

  /** A port call: without effect, and never settled, once the publisher is dead. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDead) return never()
    this.open += 1
    try {
      const done = await work()
      if (!this.isDead) return done
    } catch (error) {
      if (!this.isDead) throw error
    } finally {
      this.open -= 1
    }
    return never()
  }

  /** True if the publisher dies at this step. */
  at(step: Step): boolean {
    if (this.isDead) return true
    if (this.beyond.strikes(step)) this.die()
    return this.isDead
  }

  die(): void {
    this.isDead = true
    this.#end()
  }
}

export async function portsOf(life: Life): Promise<PublisherPorts> {
  const { world } = life.beyond
  const { clock, log, cipher } = world
  const records = recordsOf(life, world.records)
  const networks = networksOf(life)
  const commands = createCommands({ ...world.commands.ports, events: eventsOf(life, world.events) })
  const vault = await Vault.open(records, cipher)
  const connections = await Connections.open({ commands, networks, vault, records, clock })
  return {
    commands,
    networks,
    records,
    connections,
    views: { duePosts: viewOf(life, world.views.duePosts) },
    images: imagesOf(life, world.images),
    clock,
    log,
  }
}

const eventsOf = (life: Life, events: EventStore): EventStore => ({
  readAll: (after, filter) => events.readAll(after, filter),
  subscribe: (after, filter, signal) => events.subscribe(after, filter, signal),
  head: (filter) => life.call(() => events.head(filter)),
  end: () => life.call(() => events.end()),
  count: (after, filter) => life.call(() => events.count(after, filter)),
  close: never,
  append: (stream, expected, chained) =>
    life.call(async () => {
      const around = stepsAround(chained)
      if (around && life.at(around.before)) return never()
      const position = await events.append(stream, expected, chained)
      if (around) life.at(around.after)
      return position
    }),
  async *read(stream, from) {
    const batches = events.read(stream, from)[Symbol.asyncIterator]()
    for (;;) {
      const { value, done } = await life.call(() => batches.next())
      if (done) return
      yield value
    }
  },
})

const recordsOf = (life: Life, records: Records): Records => ({
  scrub: never,
  close: never,
  async table<T extends { readonly id: string }>(definition: RecordDefinition<T>): Promise<RecordTable<T>> {
    const table = await life.call(() => records.table(definition))
    return {
      get: (id) => life.call(() => table.get(id)),
      insert: (record) =>
        life.call(async () => {
          const isNew = await table.insert(record)
          if (definition.table === 'remote_posts') life.at('after the attribution')
          return isNew
        }),
      replace: (record, version) => life.call(() => table.replace(record, version)),
      put: (record) => life.call(() => table.put(record)),
      remove: (id, version) => life.call(() => table.remove(id, version)),
      find: (field, value, limit) => life.call(() => table.find(field, value, limit)),
      removeBefore: (field, value) => life.call(() => table.removeBefore(field, value)),
      first: (field, limit) => life.call(() => table.first(field, limit)),
      count: () => life.call(() => table.count()),
    }
  },
})

const viewOf = (life: Life, view: ViewReader<DuePostView>): ViewReader<DuePostView> => ({
  get: (id) => life.call(() => view.get(id)),
  getMany: (ids) => life.call(() => view.getMany(ids)),
  find: (query) => life.call(() => view.find(query)),
  page: (query) => life.call(() => view.page(query)),
  each: (query) => view.each(query),
  count: (where) => life.call(() => view.count(where)),
  async all(query, limit) {
    const found = await life.call(() => view.all(query, limit))
    if (query.sort?.field === 'dueAt') life.looks.due += 1
    if (query.where?.['delivery'] === 'unknown') life.looks.unknown += 1
    return found
  },
})

const imagesOf = (life: Life, images: Images): Images => ({
  keep: (imageUrl) => life.call(() => images.keep(imageUrl)),
  take: (bytes) => life.call(() => images.take(bytes)),
  describe: (hash) => life.call(() => images.describe(hash)),
  read: (hash) => life.call(() => images.read(hash)),
  stream: (hash, span) => life.call(() => images.stream(hash, span)),
  publicUrlOf: images.publicUrlOf,
})

function networksOf(life: Life): Networks {
  const of = (platform: Platform) => networkOf(life, life.beyond.networks[platform], life.beyond.nowhere[platform])
  return { facebook: of('facebook'), instagram: of('instagram'), twitter: of('twitter'), linkedin: of('linkedin') }
}

const networkOf = (life: Life, network: Network, nowhere: Network): Network => ({
  ...network,
  exchange: (consent) => life.call(() => network.exchange(consent)),
  renew: (tokens) => life.call(() => network.renew(tokens)),
  check: (connection) => life.call(() => network.check(connection)),
  disconnect: (connection) => life.call(() => network.disconnect(connection)),
  quota: (connection) => life.call(() => network.quota(connection)),
  metrics: (post) => life.call(() => network.metrics(post)),
  prepare: (submission) =>
    life.call(async () => {
      if (life.at('before prepare')) return never()
      const prepared = await network.prepare(submission)
      life.at('after prepare')
      return prepared
    }),
  publish: (submission, media) =>
    life.call(async () => {
      const send = () => network.publish(submission, media)
      if (life.at('before publish')) return never()
      if (life.at('in flight, not taken')) return nowhere.publish(submission, media)
      if (life.at('in flight, taken late')) life.beyond.delayed(send)
      else if (life.at('in flight, taken')) life.beyond.sent(send())
      else return send()
      return never()
    }),
  lookUp: (submission, media, since) =>
    life.call(async () => {
      if (life.at('before the look-up')) return never()
      life.beyond.lookingUp()
      const found = await network.lookUp(submission, media, since)
      life.at('after the look-up')
      return found
    }),
})
