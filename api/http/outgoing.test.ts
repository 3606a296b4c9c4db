/**
 * Slow readers of large answers, over real sockets.
 *
 * @module-tag long
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import express, { type Response } from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { compressing, compressorBounds } from './compressors.ts'
import { OutgoingBodies, type OutgoingBounds } from './outgoing.ts'
import { Problem } from './problem.ts'

const megabyte = 1024 * 1024
const portOf = (listening: Server | null) => (listening?.address() as AddressInfo | null)?.port ?? 0
let server: Server | null = null
const sockets: Socket[] = []
let now = 0
afterEach(async () => {
  now = 0
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
})

/** A server that sends a body, or the given number of bytes, to each reader; a reader's source is its path. */
async function serving(body: number | Buffer, bounds: Partial<OutgoingBounds>): Promise<OutgoingBodies> {
  const bytes = typeof body === 'number' ? Buffer.alloc(body, 'x') : body
  const outgoing = new OutgoingBodies(bounds, () => now)
  const answer = (path: string, response: Response) => {
    try {
      outgoing.send(response, path, bytes)
    } catch (error) {
      response.writeHead(error instanceof Problem ? error.status : 500, { 'Content-Length': 0 }).end()
    }
  }
  const listening = createServer(express().use((request, response) => answer(request.url, response)))
  server = listening.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return outgoing
}
async function reader(
  path: string,
  isStalled: boolean,
  accepted = 'identity',
): Promise<{
  readonly socket: Socket
  readonly closed: Promise<unknown>
  readonly read: () => number
  readonly head: () => string
}> {
  const socket = connect(portOf(server), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let [read, head] = [0, '']
  if (isStalled) socket.pause()
  socket.on('data', (part: Buffer) => {
    if (head === '') head = part.toString('latin1', 0, 400)
    read += part.length
  })
  if (isStalled) socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`)
  return { socket, closed: once(socket, 'close'), read: () => read, head: () => head }
}

// More than the kernel's own buffers hold on loopback.
const large = 20 * megabyte

describe('A large body', () => {
  it('reaches a reader whole', async () => {
    const outgoing = await serving(large, {})
    const { closed, read } = await reader('/a', false)
    await closed
    expect(read()).toBeGreaterThan(large)
    expect(outgoing.waiting).toBe(0)
  })
  it('reaches a reader that pauses for less than the stall timeout', async () => {
    await serving(large, { stallMs: 20_000 })
    const { socket, closed, read } = await reader('/a', true)
    for (let pause = 0; pause < 3; pause++) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      socket.resume()
      await once(socket, 'data')
      socket.pause()
    }
    socket.resume()
    await closed
    expect(read()).toBeGreaterThan(large)
  })
  it('is abandoned when its reader takes nothing for the stall timeout', async () => {
    const outgoing = await serving(large, { stallMs: 100 })
    const { socket, closed, read } = await reader('/a', true)
    await expect.poll(() => outgoing.waiting).toBeGreaterThan(0)
    await expect.poll(() => outgoing.waiting).toBe(0)
    socket.resume()
    await closed
    expect(read()).toBeLessThan(large)
  })
  it('is no longer counted when its reader disconnects', async () => {
    const outgoing = await serving(large, {})
    const { socket } = await reader('/a', true)
    await expect.poll(() => outgoing.waiting).toBeGreaterThan(0)
    socket.resetAndDestroy()
    await expect.poll(() => outgoing.waiting).toBe(0)
  })
})

describe.each(['br', 'gzip'])('A large body in %s', (encoding) => {
  // Random bytes: compressed they are as long as before.
  const random = randomBytes(large)
  it('reaches a reader whole', async () => {
    const outgoing = await serving(random, {})
    const { closed, read } = await reader('/a', false, encoding)
    await closed
    expect(read()).toBeGreaterThan(large)
    expect([outgoing.waiting, compressing()]).toEqual([0, 0])
  })
  it('is held up by its reader, and its compressor given back when that stalls', async () => {
    const outgoing = await serving(random, { stallMs: 500 })
    await reader('/a', true, encoding)
    await expect.poll(compressing).toBe(1)
    await expect.poll(() => outgoing.waiting).toBeGreaterThan(0)
    await expect.poll(compressing).toBe(0)
    expect(outgoing.waiting).toBe(0)
  })
  it('is given up when its reader disconnects', async () => {
    const outgoing = await serving(random, {})
    const { socket } = await reader('/a', true, encoding)
    await expect.poll(() => outgoing.waiting).toBeGreaterThan(0)
    socket.resetAndDestroy()
    await expect.poll(() => [outgoing.waiting, compressing()]).toEqual([0, 0])
  })
  it('comes as it is to a reader who has enough of them under way', async () => {
    await serving(random, { maxBytesPerSource: 20 * large, maxBytes: 20 * large })
    const stalled = Array.from({ length: compressorBounds.maxCountPerSource }, () => reader('/a', true, encoding))
    await Promise.all(stalled)
    await expect.poll(compressing).toBe(compressorBounds.maxCountPerSource)
    const [further, other] = [await reader('/a', false, encoding), await reader('/b', false, encoding)]
    await Promise.all([further.closed, other.closed])
    expect([further, other].map(({ head }) => head().includes(`Content-Encoding: ${encoding}\r\n`))).toEqual([
      false,
      true,
    ])
  })
})

describe('Bodies buffered for the readers of one source', () => {
  it('are limited: the next body is refused while the others progress, and soon takes the place of stalled ones [S25]', async () => {
    const bounds = { maxBytesPerSource: 2.5 * large, stallMs: 60_000, stallMsUnderPressure: 300 }
    const outgoing = await serving(large, bounds)
    await reader('/a', true)
    await reader('/a', true)
    await expect.poll(() => outgoing.waiting).toBeGreaterThan(large)
    const refused = await reader('/a', false)
    await refused.closed
    expect(refused.head()).toContain('503')
    const other = await reader('/b', false)
    await other.closed
    expect(other.read()).toBeGreaterThan(large)
    now += bounds.stallMsUnderPressure
    const taken = await reader('/a', false)
    await taken.closed
    expect(taken.read()).toBeGreaterThan(large)
  })
  it('are limited over all sources', async () => {
    const outgoing = await serving(large, { maxBytes: 2.5 * large, stallMs: 60_000, stallMsUnderPressure: 60_000 })
    for (const source of ['/a', '/b']) await reader(source, true)
    await expect.poll(() => outgoing.waiting).toBeGreaterThan(large)
    const refused = await reader('/c', false)
    await refused.closed
    expect(refused.head()).toContain('503')
  })
})
