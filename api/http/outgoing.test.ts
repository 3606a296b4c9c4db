/** Slow readers of large answers, over real sockets. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
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

/** A server that sends `size` bytes to each reader; a reader's source is its path. */
async function serving(size: number, bounds: Partial<OutgoingBounds>): Promise<OutgoingBodies> {
  const outgoing = new OutgoingBodies(bounds, () => now)
  const answer = (path: string, response: ServerResponse) => {
    try {
      outgoing.send(response, path, Buffer.alloc(size, 'x'))
    } catch (error) {
      response.writeHead(error instanceof Problem ? error.status : 500, { 'Content-Length': 0 }).end()
    }
  }
  const listening = createServer((request, response) => answer(request.url ?? '', response))
  server = listening.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return outgoing
}
async function reader(
  path: string,
  isStalled: boolean,
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
    if (head === '') head = part.toString('latin1', 0, 40)
    read += part.length
  })
  if (isStalled) socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
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
