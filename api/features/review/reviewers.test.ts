import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { MovableClock, later } from '../../core/clock.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { ErasedPeople } from './erased.ts'
import { Reviewers, type ReviewSession } from './reviewers.ts'

let folder: string
let records: Records
beforeAll(async () => {
  folder = await temporaryFolder('reviewers')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterAll(async () => {
  await records.close()
  await removeFolder(folder)
})

it('The 1,001st session of a link ends one without a name, not that of a person who is known', async () => {
  const clock = new MovableClock()
  const people = await Reviewers.open(records, clock, await ErasedPeople.open(records, clock))
  const sessions = await records.table<ReviewSession>({ table: 'review_sessions' })
  const token = {
    id: 'digest',
    linkId: uuidv7(),
    agencyId: uuidv7(),
    clientId: uuidv7(),
    contactId: null,
    expiresAt: later(clock.now(), 30 * 86_400_000),
  }
  const begin = (reviewerId: string | null) =>
    people.begin(token, { reviewerId, isUnlocked: true, verified: 'named' as const })
  const named = await begin(uuidv7())
  clock.advance(1_000)
  const oldest = await begin(null)
  clock.advance(1_000)
  const { expiresAt, linkId, clientId, id: tokenId } = token
  const others = Array.from({ length: 998 }, () => ({ id: uuidv7(), linkId, clientId, tokenId, expiresAt }))
  const of = { reviewerId: null, isUnlocked: true, verified: 'named' } as const
  await Promise.all(others.map((other) => sessions.put({ ...other, ...of })))
  const further = await begin(uuidv7())
  const areOpen = await Promise.all([named, oldest, further].map((each) => people.session(each, token)))
  expect(areOpen.map((each) => each !== null)).toEqual([true, false, true])
})
