/**
 * The tests' stand-in for MongoDB: one command at a time, or all at once where the server keeps updates atomic.
 *
 * @module-tag long
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BSON, type Document } from 'mongodb'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../domain/test/free-port.ts'
import { patience } from '../../../domain/test/patience.ts'
import { connectMongo } from '../mongodb-connection.ts'

const script = fileURLToPath(new URL('../../../e2e/mongodb-stand-in.mjs', import.meta.url))
const program = fileURLToPath(new URL('counting-mongodb.mjs', import.meta.url))
/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
const opMsg = 2013
const rounds = 3
const commands = 30

let child: ChildProcess | undefined
afterEach(async () => {
  if (!child) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
})

/** Sends a command over a bare connection, and closes it without the answer. */
async function askAndGo(port: number, command: Document): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const body = BSON.serialize({ ...command, $db: 'test' })
  const message = Buffer.alloc(21 + body.length)
  message.writeInt32LE(message.length, 0)
  message.writeInt32LE(opMsg, 12)
  message.set(body, 21)
  socket.end(message)
  socket.resume()
  await pause(5)
  socket.destroy()
}

/** How many commands the product's own driver had at a time at the server behind the stand-in. */
async function maxAtOnce(
  env: Readonly<Record<string, string>>,
  before: (port: number) => Promise<unknown> = async () => undefined,
): Promise<number> {
  const port = await freePort()
  const { TEST_MONGODB_CONCURRENT: _, ...rest } = process.env
  child = spawn(process.execPath, [script, program, String(port)], { env: { ...rest, ...env }, stdio: 'ignore' })
  const mongo = connectMongo(`mongodb://127.0.0.1:${port}/test`)
  const command = (name: string) => mongo.runLong((db) => db.command({ [name]: 1 }))
  await expect.poll(() => command('hello').catch(() => null), patience).toMatchObject({ ok: 1 })
  await before(port)
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
  it('passes on no other command until that of a client that is gone has ended', async () => {
    const goers = async (port: number) => {
      for (let sent = 0; sent < commands; sent += 1) await askAndGo(port, { ping: 1 })
    }
    expect(await maxAtOnce({}, goers)).toBe(1)
  })
  it('passes on all commands of the driver at once with TEST_MONGODB_CONCURRENT=1', async () => {
    expect(await maxAtOnce({ TEST_MONGODB_CONCURRENT: '1' })).toBeGreaterThan(commands / 2)
  })
})
