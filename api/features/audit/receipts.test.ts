/** Receipts, made of the log and verified by the public keys alone. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { runAudit } from '../../operations/audit/program.ts'
import { openWorld, type World } from '../../processes/test/helpers.ts'
import { readConfig } from '../../runtime/config.ts'
import { LogReads, shortReads } from '../history/log-reads.ts'
import { receiptsOf } from './receipts.ts'
import { Signer } from './signing.ts'

const reviewer = {
  reviewerId: 'reviewer-1',
  linkId: 'link-1',
  verified: 'code',
  noteId: null,
  noteDigest: null,
} as const

let world: World
let folder: string
let signer: Signer
let postId: string
let name: string | null
beforeAll(async () => {
  world = await openWorld()
  folder = await temporaryFolder('receipts')
  signer = await Signer.open({ current: randomBytes(32), others: [] })
  name = 'Rita Rowe'
  const account = await world.addAccount(await world.addClient(), 'facebook')
  postId = await world.schedule(account, 'Fresh bread at seven.', 3_600_000)
  const { state } = await world.commands.loadPost(postId)
  const seen = { seenHash: state.approval?.hash ?? '', seenVersion: 0, enteredBy: null }
  await world.commands.post(postId, { type: 'GiveVerdict', verdict: 'approve', ...seen, ...reviewer }, asReviewer())
  await world.commands.post(postId, { type: 'HoldByReviewer', ...reviewer }, asReviewer())
})
afterAll(async () => {
  await world.remove()
  await removeFolder(folder)
})

const asReviewer = () => ({ ...world.by, actor: { type: 'reviewer', id: reviewer.reviewerId } as const })
const receipts = (agencyId = world.agencyId, of: string | null = null) =>
  receiptsOf(
    {
      events: world.commands.ports.events,
      signer,
      checkpoint: () => Promise.resolve('signed-checkpoint'),
      reads: new LogReads(shortReads),
      reviewerName: () => Promise.resolve(name),
    },
    { agencyId, clientId: null },
    postId,
    of,
  )

async function verify(signed: string) {
  const [file, keys] = [join(folder, 'receipt'), join(folder, 'keys')]
  await writeFile(file, `${signed}\n`)
  await writeFile(keys, JSON.stringify(signer.jwks))
  let said = ''
  const code = await runAudit(['verify', file, '--keys', keys], {
    config: readConfig({ DATA_DIR: folder }),
    out: (text) => void (said += text),
    warn: (text) => void (said += text),
    withStores: () => Promise.reject(new Error('needs no stores')),
    rotate: () => Promise.reject(new Error('rotates nothing')),
  })
  return { code, said }
}

it('A receipt says who said what about which bytes, and has no name in what is signed', async () => {
  const [approval, hold] = await receipts()
  expect(approval).toMatchObject({ verdict: 'approve', verified: 'code', submission: 0, reviewer: { name } })
  expect(hold).toMatchObject({ verdict: 'hold', reviewer: { id: reviewer.reviewerId } })
  const payload = Buffer.from(approval?.signed.split('.')[1] ?? '', 'base64url').toString()
  expect(JSON.parse(payload)).toMatchObject({
    postId,
    reviewerId: reviewer.reviewerId,
    event: { type: 'PostReviewed', revision: 2 },
    checkpoint: 'signed-checkpoint',
  })
  expect(payload).not.toContain('Rita')
})

it('A receipt is verified by the public keys alone, and any changed character of it is found', async () => {
  const [approval] = await receipts()
  const signed = approval?.signed ?? ''
  const { code, said } = await verify(signed)
  expect([code, said]).toEqual([0, expect.stringContaining(`approved version 0 of post ${postId}`)])
  for (let at = 5; at < signed.length; at += 97) {
    const changed = `${signed.slice(0, at)}${signed[at] === 'A' ? 'B' : 'A'}${signed.slice(at + 1)}`
    if (signed[at] !== '.') expect((await verify(changed)).code).toBe(1)
  }
})

it('A receipt stays valid after its reviewer was erased', async () => {
  name = null
  const [approval] = await receipts()
  expect(approval?.reviewer.name).toBeNull()
  expect((await verify(approval?.signed ?? '')).code).toBe(0)
})

it('The receipts of a post are unknown to another agency', async () => {
  await expect(receipts('another-agency')).rejects.toMatchObject({ status: 404 })
})

it('A reviewer is given the own receipts alone', async () => {
  expect(await receipts(world.agencyId, reviewer.reviewerId)).toHaveLength(2)
  expect(await receipts(world.agencyId, 'reviewer-2')).toEqual([])
})
