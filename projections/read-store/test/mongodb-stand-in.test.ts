/**
 * The tests' stand-in for MongoDB: one command at a time, or all at once where the server keeps updates atomic.
 *
 * @module-tag long
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { connectMongo } from '../mongodb-connection.ts'

const script = fileURLToPath(new URL('../../../e2e/mongodb-stand-in.mjs', import.meta.url))
const program = fileURLToPath(new URL('counting-mongodb.mjs', import.meta.url))
const rounds = 3
const commands = 30

let child: ChildProcess | undefined
afterEach(async () => {
  if (!child) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
})

/** How many commands the product's own driver had at a time at the server behind the stand-in. */
async function maxAtOnce(env: Readonly<Record<string, string>>): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  const { TEST_MONGODB_CONCURRENT: _, ...rest } = process.env
  child = spawn(process.execPath, [script, program, String(port)], { env: { ...rest, ...env }, stdio: 'ignore' })
  const mongo = connectMongo(`mongodb://127.0.0.1:${port}/test`)
  const command = (name: string) => mongo.runLong((db) => db.command({ [name]: 1 }))
  await expect.poll(() => command('hello').catch(() => null), patience).toMatchObject({ ok: 1 })
  // The driver opens its connections two at a time: a busy computer answers the first pings before it has opened many.
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(Array.from({ length: commands }, () => command('ping')))
  const { max } = await command('max')
  await mongo.close()
  return Number(max)
}

describe('The stand-in for MongoDB', () => {
  it('passes on one command at a time', async () => {
    expect(await maxAtOnce({})).toBe(1)
  })
  it('passes on all commands of the driver at once with TEST_MONGODB_CONCURRENT=1', async () => {
    expect(await maxAtOnce({ TEST_MONGODB_CONCURRENT: '1' })).toBeGreaterThan(commands / 2)
  })
})
