/** A whole server on a temporary folder, with a clock that tests move, and people who use it. */
import { join } from 'node:path'
import { testHashing } from '../features/auth/test/hashing.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { isOnServers } from '../../domain/test/patience.ts'
import { ApiClient, connect } from '../http/client.ts'
import { MovableClock } from '../core/clock.ts'
import { readConfig } from '../runtime/config.ts'
import { startEmbedded, type EmbeddedOptions, type Running } from '../composition/embedded.ts'
import { keepKeys, keptLog } from './all-logs.ts'
import { forget, storesFor } from './servers.ts'

export interface TestServer extends Running {
  readonly clock: MovableClock
  /** Stops and starts again on the same folder. */
  restart(): Promise<TestServer>
  /** Stops and forgets the folder. */
  remove(): Promise<void>
}

/** The stand-in for MongoDB answers one command at a time: frequent looks would leave it no time for the tests. */
const pollMs = isOnServers ? '400' : '25'

export async function testServer(
  env: Readonly<Record<string, string>> = {},
  options: Partial<EmbeddedOptions> & { readonly clock?: MovableClock } = {},
): Promise<TestServer> {
  const dataDir = env['DATA_DIR'] ?? (await temporaryFolder('socialai'))
  const clock = options.clock ?? new MovableClock()
  // Sessions are kept for as long as they may be, because tests move the clock by days without using them.
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    PUBLISH_POLL_MS: pollMs,
    REQUESTS_PER_MINUTE: '100000000',
    LOG_MB_PER_DAY: '1000000',
    BACKUP: 'off',
    SESSION_IDLE_DAYS: '14',
    ...env,
    DATA_DIR: dataDir,
  })
  const limits = { failures: 10, perAddress: 100_000, registrations: 100_000 }
  const log = keptLog(config.LOG_LEVEL)
  const hashing = testHashing()
  const openStores = storesFor(dataDir)
  const running = await startEmbedded(config, {
    log,
    webRoot: join(dataDir, 'no-web'),
    limits,
    hashing,
    ...(openStores ? { openStores } : {}),
    ...options,
    clock,
  })
  keepKeys(dataDir)
  return {
    ...running,
    clock,
    async restart() {
      await running.close()
      return testServer({ ...env, DATA_DIR: dataDir }, { ...options, clock })
    },
    async remove() {
      await running.close()
      await forget(dataDir)
      await removeFolder(dataDir)
    },
  }
}

let counter = 0

/** A signed-up owner with an agency in a zone. */
export async function owner(server: Pick<Running, 'url'>, timeZone = 'Europe/Berlin'): Promise<ApiClient> {
  const caller = await signedUp(server)
  await caller.callOrThrow('openAgency', { body: { name: 'North Star', email: 'hello@northstar.example', timeZone } })
  return caller
}

/** A signed-up user without an agency. */
export async function signedUp(server: Pick<Running, 'url'>): Promise<ApiClient> {
  const caller = new ApiClient(server.url)
  counter += 1
  const email = `person-${process.pid}-${counter}@example.com`
  await caller.callOrThrow('register', { body: { email, password: 'correct horse' } })
  return caller
}

/** A client with one connected account. */
export async function brand(
  caller: ApiClient,
  platform: 'facebook' | 'instagram' | 'twitter' | 'linkedin' = 'facebook',
) {
  const client = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
  const account = await caller.callOrThrow('addSocialAccount', {
    params: { id: client.id },
    body: { platform, accountName: 'Blue Cup' },
  })
  await connect(caller, account.id)
  return { clientId: client.id, accountId: account.id }
}
