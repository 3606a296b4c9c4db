/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { LogTree } from '../../../domain/audit/log-tree.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { owner, testServer } from '../../testing/server.ts'
import { Checkpoints } from './checkpoints.ts'
import { Signer } from './signing.ts'

it("A listed checkpoint has its time, root and signature, without the counts of the installation's log", async () => {
  const before = await testServer()
  await owner(before)
  // The server signs a checkpoint when it starts.
  const server = await before.restart()
  try {
    const caller = await owner(server)
    await expect.poll(async () => (await caller.callOrThrow('listAuditCheckpoints')).length).toBe(1)
    const [checkpoint] = await caller.callOrThrow('listAuditCheckpoints')
    expect(checkpoint).toEqual({
      at: expect.any(String),
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
      signed: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
  } finally {
    await server.remove()
  }
})

it('The newest checkpoints are listed, however many there are', async () => {
  const folder = await temporaryFolder('checkpoints')
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  try {
    const checkpoints = await Checkpoints.open(records, await Signer.open({ current: randomBytes(32), others: [] }))
    const tree = new LogTree()
    for (let events = 1; events <= 1_010; events++) {
      tree.pass({ position: String(events), stream: 'post-1', revision: events - 1, hash: null })
      await checkpoints.sign(tree, new Date(events * 1_000).toISOString())
    }
    const all = await checkpoints.all()
    expect(all).toHaveLength(1_000)
    expect([all[0]?.events, all.at(-1)?.events]).toEqual([1_010, 11])
  } finally {
    await records.close()
    await removeFolder(folder)
  }
})
