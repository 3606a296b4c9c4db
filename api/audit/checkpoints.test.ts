import { expect, it } from 'vitest'
import { owner, testServer } from '../testing.ts'

it('Who may see checkpoints is told when, what and by which signature, and not how much the installation holds', async () => {
  const before = await testServer()
  await owner(before)
  // At its start it signs what it finds.
  const server = await before.restart()
  try {
    const caller = await owner(server)
    await expect.poll(async () => (await caller.tell('listAuditCheckpoints')).length).toBe(1)
    const [checkpoint] = await caller.tell('listAuditCheckpoints')
    expect(checkpoint).toEqual({ at: expect.any(String), root: expect.stringMatching(/^[0-9a-f]{64}$/), signed: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) })
  } finally {
    await server.remove()
  }
})
