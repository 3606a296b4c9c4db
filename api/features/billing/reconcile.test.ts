/** @module-tag long */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import * as billing from '../../bin/commands/billing.ts'
import { run as runCommandLine } from '../../bin/test/run.ts'
import { ApiClient } from '../../http/client.ts'
import { MovableClock } from '../../core/clock.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { stripeSettings } from './config.ts'
import { Customers } from './customers.ts'
import { reconcile } from './reconcile.ts'
import { stripePayments } from './stripe.ts'
import { startStripe, type FakeStripe } from './test/fake-stripe.ts'
import { join } from 'node:path'

const clock = new MovableClock()
let stripe: FakeStripe
let server: TestServer
let caller: ApiClient
let folder: string

beforeEach(async () => {
  stripe = await startStripe(clock)
  server = await testServer({ ...stripe.env }, { clock })
  caller = await owner(server)
  folder = await temporaryFolder('reconcile')
})
afterEach(async () => {
  await server.remove()
  await stripe.close()
  await removeFolder(folder)
})

it('repairs missed webhooks, names each difference, and finds none the second time', async () => {
  const agencyId = agencyIdOf((await caller.callOrThrow('getUser')).id)
  stripe.set({ id: 'sub_missed', customer: 'cus_missed', status: 'active', metadata: { agencyId } })
  stripe.set({ id: 'sub_strange', customer: 'cus_strange', status: 'active' })
  const settings = stripeSettings({ ...stripe.env, STRIPE_TIMEOUT_MS: 5_000 })
  if (!settings) throw new Error('There are no settings')
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  const ports = {
    commands: server.commands,
    customers: await Customers.open(records),
    payments: stripePayments(settings),
  }

  const { seen, differences } = await reconcile(ports)
  expect(seen).toBe(2)
  expect(differences).toEqual([
    `Agency ${agencyId} was trialing and is active now, according to sub_missed.`,
    'sub_strange (active) belongs to an unknown customer.',
  ])
  clock.advance(1_000)
  expect((await reconcile(ports)).differences).toHaveLength(1)
  stripe.set({ id: 'sub_missed', status: 'unpaid' })
  clock.advance(1_000)
  expect((await reconcile(ports)).differences[0]).toContain('was active and is unpaid now')
  stripe.set({ id: 'sub_missed', status: 'active' })
  stripe.set({
    id: 'sub_second',
    customer: 'cus_missed',
    status: 'active',
    created: 2_000_000_000,
    metadata: { agencyId },
  })
  clock.advance(1_000)
  expect((await reconcile(ports)).differences.at(-1)).toBe(
    `Agency ${agencyId} pays for 2 subscriptions: sub_missed, sub_second. Cancel the surplus ones at Stripe.`,
  )
  await records.close()
})

describe('The command line', () => {
  const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const { code, all } = await runCommandLine(billing, args, { DATA_DIR: dataDir, ...env })
    return { code, text: all }
  }
  let dataDir: string
  beforeEach(() => {
    dataDir = server.dataDir
  })

  it('reconciles on a stopped server, and the server sees the result after its start', async () => {
    const agencyId = agencyIdOf((await caller.callOrThrow('getUser')).id)
    stripe.set({ id: 'sub_missed', customer: 'cus_missed', status: 'active', metadata: { agencyId } })
    expect(await run(stripe.env, 'reconcile')).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^Another SocialAI is already running/),
    })
    await server.close()
    const repaired = `Agency ${agencyId} was trialing and is active now, according to sub_missed.\n1 subscription compared, 1 difference.\n`
    expect(await run(stripe.env, 'reconcile')).toEqual({ code: 0, text: repaired })
    expect(await run(stripe.env, 'reconcile')).toEqual({ code: 0, text: '1 subscription compared, 0 differences.\n' })
    server = await testServer({ ...stripe.env, DATA_DIR: dataDir }, { clock })
    const { cookie } = caller
    caller = new ApiClient(server.url)
    caller.cookie = cookie
    expect(await caller.callOrThrow('getAgency')).toMatchObject({
      subscriptionStatus: 'active',
      stripeSubscriptionId: 'sub_missed',
    })
  }, 60_000)

  it('names missing settings', async () => {
    await server.close()
    expect(await run({}, 'reconcile')).toMatchObject({
      code: 1,
      text: expect.stringContaining('are not set, so there is nothing to compare with'),
    })
    expect(await run({ ...stripe.env, DATA_DIR: join(dataDir, 'nowhere') }, 'reconcile')).toMatchObject({
      code: 1,
      text: expect.stringContaining('There is no event log in'),
    })
    stripe.trouble = 500
    expect(await run(stripe.env, 'reconcile')).toMatchObject({
      code: 1,
      text: expect.stringContaining("can't be reached just now"),
    })
    server = await testServer({ ...stripe.env, DATA_DIR: dataDir }, { clock })
  }, 60_000)
})
