/** `audit -- verify` on checkpoints of both versions, in files kept elsewhere and in the records. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Ledger } from '../../../domain/audit/ledger.ts'
import * as post from '../../../domain/post/test/examples.ts'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { Checkpoints } from '../../features/audit/checkpoints.ts'
import { Signer } from '../../features/audit/signing.ts'
import { MovableClock } from '../../core/clock.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { checkLog } from './check-log.ts'

let stores: TestStores
let records: Records
let signer: Signer
let checkpoints: Checkpoints
const at = '2026-03-02T10:00:00.000Z'

beforeEach(async () => {
  stores = await temporaryStores()
  records = await openEmbeddedRecords(join(stores.folder, 'records.db'))
  signer = await Signer.open({ current: randomBytes(32), others: [] })
  checkpoints = await Checkpoints.open(records, signer)
  for (const stream of ['post-1', 'post-2']) await stores.log.write(stream, post.written)
})
afterEach(async () => {
  await records.close()
  await stores.remove()
})

const ledgerOf = async () => {
  const ledger = new Ledger()
  for await (const batch of stores.events.readAll(null)) for (const event of batch) ledger.take(event)
  return ledger
}
/** Signs as earlier versions did. */
async function signVersion1(): Promise<string> {
  const ledger = await ledgerOf()
  const { position, streams, events, order } = ledger
  const checkpoint = { position, at, streams, events, root: await ledger.rootOfHeads(), order }
  const kept = { ...checkpoint, signed: await signer.sign('checkpoint', checkpoint) }
  const table = await records.table<typeof kept & { readonly id: string; readonly kind: string }>({
    table: 'audit_checkpoints',
    indexed: ['kind', 'at'],
  })
  await table.put({ ...kept, id: String(1e15 - events).padStart(16, '0'), kind: 'checkpoint' })
  await table.put({ ...kept, id: 'latest', kind: 'latest' })
  return kept.signed
}
const signVersion2 = async () => (await checkpoints.sign((await ledgerOf()).tree, at))?.signed ?? ''

async function check(signed: string, events: Pick<TestStores['events'], 'readAll'> = stores.events) {
  const checkpoint = join(stores.folder, 'checkpoint.jws')
  await writeFile(checkpoint, signed)
  let text = ''
  const around = { events: events as TestStores['events'], signer, checkpoints, clock: new MovableClock() }
  const code = await checkLog(around, { checkpoint, jwks: null }, (line) => void (text += line))
  return { code, text }
}
const withoutLast = {
  async *readAll() {
    for await (const batch of stores.events.readAll(null)) yield batch.slice(0, -1)
  },
}
const inOtherOrder = {
  async *readAll() {
    for await (const batch of stores.events.readAll(null)) yield batch.toReversed()
  },
}

it.each([
  ['1', signVersion1],
  ['2', signVersion2],
])('A checkpoint of version %s, in a file and in the records, is verified', async (_, sign) => {
  const signed = await sign()
  expect(await check(signed)).toEqual({
    code: 0,
    text: expect.stringMatching(
      /^The log still matches the given checkpoint of .*: 2 events, in their order\.\nThe log still matches the newest hourly checkpoint of /m,
    ),
  })
  await stores.log.write('post-3', post.written)
  expect((await check(signed)).code).toBe(0)
  expect((await check(signed, inOtherOrder)).code).toBe(1)
})

it('A removed event is found by checkpoints of both versions', async () => {
  const [first, second] = [await signVersion1(), await signVersion2()]
  for (const signed of [first, second])
    expect(await check(signed, withoutLast)).toEqual({
      code: 1,
      text: expect.stringContaining('The log has 1 events. The checkpoint covers 2: some were removed.'),
    })
})

it('A log signed as version 1 is continued as version 2 from its beginning, and the earlier one stays valid', async () => {
  const first = await signVersion1()
  expect(await checkpoints.latestTree()).toBeNull()
  const second = await signVersion2()
  expect((await checkpoints.latestTree())?.events).toBe(2)
  for (const signed of [first, second]) expect((await check(signed)).code).toBe(0)
})

it("A frontier that isn't the signed one is not continued", async () => {
  await signVersion2()
  const table = await records.table<{ id: string; tree: { frontier: string[] } }>({
    table: 'audit_checkpoints',
    indexed: ['kind' as never, 'at' as never],
  })
  const latest = (await table.get('latest'))?.record
  if (!latest) throw new Error('There is none')
  await table.put({ ...latest, tree: { ...latest.tree, frontier: ['0'.repeat(64)] } })
  expect(await checkpoints.latestTree()).toBeNull()
})
