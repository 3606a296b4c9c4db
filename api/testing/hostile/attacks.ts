/** Callers who misbehave, over bare sockets, each from a loopback address of its own where the system has them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Target {
  readonly port: number
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A valid body; null where the route reads none. */
  readonly body: Buffer | null
  readonly maxBodyBytes: number
}

/** The status of an answer; null for a connection that was closed without one. */
export type Outcome = number | null

let nextAddress = 0
/** 127.1.x.y: every attack has its own address, so that none is answered for another's excess. */
export function freshAddress(): string {
  nextAddress += 1
  return process.platform === 'linux'
    ? `127.1.${Math.floor(nextAddress / 250) % 250}.${(nextAddress % 250) + 1}`
    : '127.0.0.1'
}

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

function head({ method, path, headers, port }: Target, length: number | null): string {
  const all = {
    Host: `localhost:${port}`,
    ...headers,
    ...(length === null ? {} : { 'Content-Length': String(length) }),
  }
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}

const statusIn = (text: string): Outcome => {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
  return status === undefined ? null : Number(status)
}

/** Reads until the connection is closed, or the answer's head is there. */
async function outcomeOf(socket: Socket): Promise<Outcome> {
  let text = ''
  socket.on('data', (part) => (text = (text + String(part)).slice(0, 4_096)))
  await Promise.race([
    once(socket, 'close').catch(() => undefined),
    new Promise<void>((resolve) => socket.on('data', () => text.includes('\r\n\r\n') && resolve())),
  ])
  const status = statusIn(text)
  socket.destroy()
  return status
}

/** Announces a body of the largest size, sends a part of it, and no more. */
export async function unfinishedBody(target: Target, from: string): Promise<Outcome> {
  const socket = await open(target.port, from)
  socket.write(head(target, target.maxBodyBytes))
  socket.write(Buffer.alloc(Math.min(20_000, Math.floor(target.maxBodyBytes / 2)), '{'))
  return outcomeOf(socket)
}

/**
 * Announces one byte more than the route takes; and again without saying how much, sending it all: spaces, which JSON
 * may begin with, and a valid body.
 */
export async function oneByteOver(target: Target, from: string): Promise<readonly Outcome[]> {
  const announced = await open(target.port, from)
  announced.write(head(target, target.maxBodyBytes + 1))
  const first = await outcomeOf(announced)
  const chunked = await open(target.port, from)
  chunked.write(head({ ...target, headers: { ...target.headers, 'Transfer-Encoding': 'chunked' } }, null))
  const spaces = Buffer.alloc(64 * 1024, ' ')
  const outcome = outcomeOf(chunked)
  const send = (part: Buffer) =>
    chunked.write(`${part.length.toString(16)}\r\n`) && chunked.write(part) && chunked.write('\r\n')
  for (let sent = 0; sent <= target.maxBodyBytes && !chunked.destroyed; sent += spaces.length) {
    const hasRoom = send(spaces)
    // The server may reset the connection at any moment: `once` rejects for the error.
    if (!hasRoom) await Promise.race([once(chunked, 'drain'), once(chunked, 'close')]).catch(() => undefined)
  }
  if (!chunked.destroyed) {
    if (target.body) send(target.body)
    chunked.write('0\r\n\r\n')
  }
  return [first, await outcome]
}

/** How often a stalled reader asks. */
export const asksOfStalledReader = 5

/** Asks many times on one connection, and reads nothing of what is answered. */
export async function stalledReader(target: Target, from: string): Promise<Socket> {
  const socket = await open(target.port, from)
  socket.pause()
  const request = Buffer.concat([
    Buffer.from(head(target, target.body?.length ?? null)),
    target.body ?? Buffer.alloc(0),
  ])
  for (let asked = 0; asked < asksOfStalledReader; asked++) socket.write(request)
  return socket
}

/** Reads what is left for a stalled reader, until the server closes the connection. @returns null where it does not */
export async function bytesUntilClosed(socket: Socket, withinMs: number): Promise<number | null> {
  let bytes = 0
  socket.on('data', (part: Buffer) => (bytes += part.length))
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  socket.resume()
  const isClosed = await Promise.race([closed, pause(withinMs, false, { ref: false })])
  socket.destroy()
  return isClosed ? bytes : null
}

/** Drops the connection in the middle of the request, and another one in the middle of the answer. */
export async function abort(target: Target, from: string): Promise<void> {
  const early = await open(target.port, from)
  const request = Buffer.concat([
    Buffer.from(head(target, target.body?.length ?? null)),
    target.body ?? Buffer.alloc(0),
  ])
  early.write(request.subarray(0, Math.ceil(request.length / 2)))
  early.resetAndDestroy()
  const late = await open(target.port, from)
  late.write(request)
  await Promise.race([
    once(late, 'data'),
    once(late, 'close'),
    new Promise((resolve) => setTimeout(resolve, 500)),
  ]).catch(() => undefined)
  late.resetAndDestroy()
}

/** Opens connections one after the other on several lanes, asks, and resets each after a few milliseconds. */
export async function churn(target: Target, from: string, lanes: number, forMs: number): Promise<void> {
  const until = performance.now() + forMs
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) {
        const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: from })
        socket.on('error', () => undefined)
        socket.once('connect', () => socket.write(head(target, null)))
        await new Promise((resolve) => setTimeout(resolve, 5))
        socket.resetAndDestroy()
      }
    }),
  )
}

/** As many requests at once as the server lets one address have connections. */
export function flood(target: Target, from: string, count = 200): Promise<readonly Outcome[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await open(target.port, from)
      socket.write(
        head({ ...target, headers: { ...target.headers, Connection: 'close' } }, target.body?.length ?? null),
      )
      if (target.body) socket.write(target.body)
      return outcomeOf(socket)
    }),
  )
}
