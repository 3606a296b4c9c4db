import { afterEach, beforeEach, expect, it } from 'vitest'
import { agencyIdOf } from '../agency/id.ts'
import type { Caller } from '../caller.ts'
import { MovableClock } from '../clock.ts'
import { openEmbeddedRecords } from '../records/embedded.ts'
import { owner, testServer, type TestServer } from '../testing.ts'
import { stripeSettings } from './config.ts'
import { Customers } from './customers.ts'
import { reconcile } from './reconcile.ts'
import { stripePayments } from './stripe.ts'
import { startStripe, type FakeStripe } from './testing.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const clock = new MovableClock()
let stripe: FakeStripe
let server: TestServer
let caller: Caller
let folder: string

beforeEach(async () => {
  stripe = await startStripe(clock)
  server = await testServer({ ...stripe.env }, { clock })
  caller = await owner(server)
  folder = await mkdtemp(join(tmpdir(), 'reconcile-'))
})
afterEach(async () => {
  await server.remove()
  await stripe.close()
  await rm(folder, { recursive: true })
})

it('repairs what no webhook told, names each difference, and finds none the second time', async () => {
  const agencyId = agencyIdOf((await caller.tell('getUser')).id)
  stripe.set({ id: 'sub_missed', customer: 'cus_missed', status: 'active', metadata: { agencyId } })
  stripe.set({ id: 'sub_strange', customer: 'cus_strange', status: 'active' })
  const settings = stripeSettings({ ...stripe.env })
  if (!settings) throw new Error('There are no settings')
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  const ports = { handler: server.handler, customers: await Customers.open(records), payments: stripePayments(settings), clock }

  const { seen, differences } = await reconcile(ports)
  expect(seen).toBe(2)
  expect(differences).toEqual([
    `Agency ${agencyId} was trialing and is active now, as sub_missed says.`,
    'sub_strange (active) belongs to a customer that is unknown here.',
  ])
  clock.advance(1_000)
  expect((await reconcile(ports)).differences).toHaveLength(1)
  stripe.set({ id: 'sub_missed', status: 'unpaid' })
  clock.advance(1_000)
  expect((await reconcile(ports)).differences[0]).toContain('was active and is unpaid now')
  await records.close()
})
