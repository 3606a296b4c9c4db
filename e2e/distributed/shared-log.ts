/** The log of the processes under test: a server of their own, or a part of the one at `TEST_EVENTSTORE_URL`. */
import { resolve } from 'node:path'
import { namedServers } from '../../api/testing/named-servers.ts'
import { namespacedEventStore } from '../../api/testing/namespaced-event-store.ts'
import { ownPart } from '../../api/testing/servers.ts'
import { hostsOf, isCluster, ofNode } from '../../domain/event-store/eventstoredb-address.ts'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { compiled } from '../../domain/test/compiled.ts'
import { freePort } from '../../domain/test/free-port.ts'
import { ended, started } from './program.ts'

export interface SharedLog {
  readonly at: { readonly hostname: string; readonly port: string }
  /** Its address behind a wire on this machine. */
  through(port: number): string
  readonly env: Readonly<Record<string, string>>
  /** Node's options for the processes. */
  readonly preloaded: readonly string[]
  open(): EventStore
  close(): Promise<void>
}

async function logOfItsOwn(): Promise<SharedLog> {
  const port = String(await freePort())
  const store = await started([compiled('domain/event-store/test/fake-eventstoredb/main.ts'), port], {}, 'Speaking')
  const through = (wire: number | string) => `esdb://127.0.0.1:${wire}?tls=false`
  return {
    at: { hostname: '127.0.0.1', port },
    through,
    env: {},
    preloaded: [],
    open: () => openEventStoreDB(through(port)),
    close: () => ended(store, 'SIGKILL'),
  }
}

/** A part of the log of one named node. With TLS, its certificate has to name localhost. */
async function partOf(url: string): Promise<SharedLog> {
  for (const line of await namedServers()) console.log(line)
  const [node] = hostsOf(url)
  if (!node || isCluster(url)) throw new Error('TEST_EVENTSTORE_URL has to name one node for these tests')
  const { part, begins } = await ownPart(url)
  return {
    at: { hostname: node.host, port: String(node.port) },
    through: (port) => ofNode(url, { host: 'localhost', port }),
    env: { TEST_PART: part, TEST_BEGINS: begins ?? '' },
    preloaded: ['--import', resolve('e2e/distributed/own-streams.mjs')],
    open: () => namespacedEventStore(openEventStoreDB(url), part, begins),
    close: async () => {},
  }
}

const named = process.env['TEST_EVENTSTORE_URL']

export const openSharedLog = (): Promise<SharedLog> => (named === undefined ? logOfItsOwn() : partOf(named))
