/** Slow clients delay no others, and accepted requests are answered. */
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listen, maxConnectionsPerAddress, type Listening } from './listen.ts'
import { maxConnectionsOf, mustOpenEnoughFiles } from './open-files.ts'

const quick = { headersMs: 200, requestMs: 400, idleMs: 300, checkMs: 50 }
let listening: Listening | null = null
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listening?.close()
  listening = null
})

async function serving(listener: RequestListener, patience = quick, closeWithinMs?: number): Promise<Listening> {
  listening = await listen({ PORT: 0, HOST: '127.0.0.1', PUBLIC_URL: undefined }, patience, closeWithinMs)
  listening.serve(listener)
  return listening
}
const readAll = async (request: IncomingMessage, response: ServerResponse) => {
  try {
    for await (const _ of request);
    response.end('heard')
  } catch {
    response.destroy()
  }
}
async function speaking(
  to: Listening,
  said: string,
): Promise<{ socket: Socket; received: () => string; ended: Promise<unknown> }> {
  const socket = connect(Number(new URL(to.own).port), '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (part) => (received += String(part)))
  socket.on('error', () => undefined)
  socket.write(said)
  return { socket, received: () => received, ended: once(socket, 'close') }
}
/** Sends single bytes forever: never silent, never finished. */
function dripping(socket: Socket, byte: string): void {
  const timer = setInterval(() => (socket.writable ? socket.write(byte) : clearInterval(timer)), 20)
  socket.once('close', () => clearInterval(timer))
}
const answered = (to: Listening) => fetch(`${to.own}/`).then((response) => response.text())

describe('A client that', () => {
  it(
    'never finishes its headers gets a 408 and is disconnected; others are answered meanwhile [S32]',
    { tags: 'long' },
    async () => {
      const server = await serving(readAll, { ...quick, requestMs: 60_000 })
      const slow = await Promise.all(
        Array.from({ length: 50 }, () => speaking(server, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')),
      )
      for (const { socket } of slow) dripping(socket, 'a')
      expect(await answered(server)).toBe('heard')
      await Promise.all(slow.map(({ ended }) => ended))
      expect(slow.map(({ received }) => received().split('\r\n')[0])).toEqual(
        Array(50).fill('HTTP/1.1 408 Request Timeout'),
      )
    },
  )
  it('never finishes its body is disconnected; others are answered meanwhile', { tags: 'long' }, async () => {
    const server = await serving(readAll)
    const slow = await Promise.all(
      Array.from({ length: 50 }, () =>
        speaking(
          server,
          'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
        ),
      ),
    )
    for (const { socket } of slow) dripping(socket, ' ')
    expect(await answered(server)).toBe('heard')
    await Promise.all(slow.map(({ ended }) => ended))
  })
  it('sends nothing is disconnected', async () => {
    const server = await serving(readAll)
    await (
      await speaking(server, '')
    ).ended
  })
  it('never reads its answer is disconnected', { tags: 'long' }, async () => {
    let disconnected = () => {}
    const isDisconnected = new Promise<void>((resolve) => (disconnected = resolve))
    const server = await serving((_, response) => {
      response.once('close', disconnected)
      response.end('x'.repeat(50_000_000))
    })
    const { socket } = await speaking(server, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.pause()
    const connection = new Promise((resolve) => socket.once('close', resolve))
    await isDisconnected
    // A paused socket sees its end only after reading on.
    socket.resume()
    await connection
    expect(socket.bytesRead).toBeLessThan(50_000_000)
  })
})

describe('A server that is stopping', () => {
  it('waits for no connection that never sent anything', async () => {
    const long = { headersMs: 60_000, requestMs: 60_000, idleMs: 60_000, checkMs: 50 }
    const server = await serving(readAll, long, 60_000)
    const { ended } = await speaking(server, '')
    await Promise.all([server.close(), ended])
  })
  it('answers requests under way, and accepts no new ones [S98]', async () => {
    const begun: ServerResponse[] = []
    const server = await serving((_, response) => void begun.push(response), { ...quick, idleMs: 60_000 })
    const answer = answered(server)
    await expect.poll(() => begun.length).toBe(1)
    const closed = server.close()
    await expect(fetch(`${server.own}/`)).rejects.toThrow('fetch failed')
    begun[0]?.end('done')
    expect(await answer).toBe('done')
    await closed
  })
})

describe('Connections', () => {
  const open = async (to: Listening, localAddress: string, count: number) => {
    const opened = Array.from({ length: count }, () =>
      connect({ port: Number(new URL(to.own).port), host: '127.0.0.1', localAddress }),
    )
    for (const socket of opened) socket.on('error', () => undefined)
    sockets.push(...opened)
    await Promise.all(opened.map((socket) => once(socket, 'connect')))
    return opened
  }
  const idle = { ...quick, headersMs: 60_000, idleMs: 60_000, requestMs: 60_000 }

  it.skipIf(process.platform !== 'linux')(
    'of one address over the limit are closed, and another address is served [S30]',
    async () => {
      const server = await serving(readAll, idle)
      await open(server, '127.0.0.2', maxConnectionsPerAddress)
      const [over] = await open(server, '127.0.0.2', 1)
      if (over && !over.closed) await once(over, 'close')
      expect(await answered(server)).toBe('heard')
    },
  )
  it.skipIf(process.platform !== 'linux')('of an address are accepted again once earlier ones are closed', async () => {
    const server = await serving(readAll, idle)
    for (const socket of await open(server, '127.0.0.1', maxConnectionsPerAddress)) socket.destroy()
    await expect.poll(() => answered(server).catch(() => 'refused')).toBe('heard')
  })
  it('leave 256 descriptors for everything else', () => {
    expect(maxConnectionsOf(1_024)).toBe(768)
    expect(maxConnectionsOf(Number.POSITIVE_INFINITY)).toBe(10_000)
  })
  it('are not accepted at all where the process may open fewer than 512 files', () => {
    expect(() => mustOpenEnoughFiles(511)).toThrow(
      'This process may open only 511 files and connections at once. Allow at least 512 (ulimit -n 512), then start again.',
    )
    expect(() => mustOpenEnoughFiles(512)).not.toThrow()
    expect(() => mustOpenEnoughFiles()).not.toThrow()
  })
})
