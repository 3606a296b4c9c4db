/** An installation on EventStoreDB and MongoDB with posts and images, and its command lines. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasMongo } from '../../../../projections/read-store/test/mongodb.ts'
import { expect } from 'vitest'
import * as move from '../../../bin/commands/move.ts'
import { run, type Ran } from '../../../bin/test/run.ts'
import { openServers } from '../../../composition/distributed.ts'
import { ApiClient } from '../../../http/client.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { keptReview, type KeptReview } from '../../../testing/review-kept.ts'
import { keptTeam, type KeptTeam } from '../../../testing/team-kept.ts'
import { filled, forgotten, program, temporary, type Kept } from './helpers.ts'
import { newStores, removeStores, start, type SharedTestStores } from './shared-stores.ts'

/** Files are not compared with stores where the tests' servers have none. */
export const isSkipped = !hasMongo || process.env['TEST_SHAPE'] === 'distributed'
export const secrets = {
  SESSION_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
  AUDIT_SIGNING_KEY: 'cd'.repeat(32),
}

export interface SharedInstallation extends Kept {
  readonly folder: string
  readonly backups: string
  readonly source: SharedTestStores
  readonly server: TestServer
  readonly email: string
  readonly team: KeptTeam
  readonly review: KeptReview
  /** Writes a post, and returns its id. */
  write(content: string): Promise<string>
  backUp(...args: readonly string[]): Promise<Ran>
  restoreTo(stores: SharedTestStores, from: string, ...args: readonly string[]): Promise<Ran>
  /** In a process of its own, to be killed. */
  begin(args: readonly string[], stores: SharedTestStores): ReturnType<typeof start>
  unfinishedBackups(): Promise<readonly string[]>
  remove(): Promise<void>
}

export const writer =
  ({ caller, clientId, accountId }: Kept) =>
  async (content: string): Promise<string> => {
    const body = { socialAccountId: accountId, content }
    return (await caller.callOrThrow('writePost', { params: { id: clientId }, body })).id
  }

/** Filled in the embedded shape, and moved. */
export async function startSharedInstallation(): Promise<SharedInstallation> {
  const folder = await temporary()
  const [backups, dataDir] = [join(folder, 'backups'), join(folder, 'data')]
  const source = await newStores()
  const embedded = await testServer({ ...secrets, DATA_DIR: dataDir })
  const before = await filled(embedded)
  const { email } = await before.caller.callOrThrow('getUser')
  const team = await keptTeam(embedded, before.caller, before)
  const review = await keptReview(embedded, before.caller, before)
  const write = writer(before)
  await Promise.all(Array.from({ length: 20 }, (_, n) => write(`Post ${n} before the move`)))
  await embedded.close()
  expect(await run(move, [], { ...source.env, DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  const server = await testServer({ ...secrets, DATA_DIR: dataDir }, { openStores: () => openServers(source.env) })
  const caller = new ApiClient(server.url)
  caller.cookie = before.caller.cookie
  const kept = { ...before, caller }
  return {
    ...kept,
    folder,
    backups,
    source,
    server,
    email,
    team,
    review,
    write: writer(kept),
    backUp: (...args) => program('backup', dataDir, ['--to', backups, ...args], source.env),
    restoreTo: ({ env }, from, ...args) =>
      program('restore', dataDir, [from, ...args], { ...env, BACKUP_DIR: backups }),
    begin: (args, { env }) => start(args, { ...env, DATA_DIR: dataDir, BACKUP_DIR: backups }),
    unfinishedBackups: async () => (await readdir(backups)).filter((name) => name.endsWith('.unfinished')),
    async remove() {
      await server.close()
      await removeStores()
      await forgotten(folder)
    },
  }
}
