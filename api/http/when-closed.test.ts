import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { InFlightLimit } from '../core/in-flight-limit.ts'
import { boundedBody } from './bounded-body.ts'
import { whenClosed } from './when-closed.ts'

let server: Server | undefined
afterEach(() => server?.close())

/**
 * Sends a request with an announced body and resets the connection; resolves when the handler was called for the
 * closed answer.
 */
async function abortedRequest(listener: RequestListener): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server = createServer((request, response) =>
      response.once('close', () =>
        setImmediate(() => {
          listener(request, response)
          resolve()
        }),
      ),
    )
  })
  const listening = server as Server
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const asked = once(listening, 'request')
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{')
  await asked
  socket.resetAndDestroy()
  await done
}

describe('An answer that is closed before its handler starts', () => {
  it('is cleaned up at once', async () => {
    let isCleanedUp = false
    await abortedRequest((_, response) => whenClosed(response, () => (isCleanedUp = true)))
    expect(isCleanedUp).toBe(true)
  })
  it('keeps no memory reserved for its body [S27]', async () => {
    const limit = new InFlightLimit({
      maxCount: 10,
      maxBytes: 10_000,
      maxCountPerSource: 10,
      maxBytesPerSource: 10_000,
    })
    const reserve = (_: unknown, bytes: number) => limit.reserve('source', bytes)
    let isReached = false
    const app = express()
      .use((_request, _response, next) => {
        isReached = true
        next()
      })
      .use(boundedBody(express.json(), { maxBytes: 2_000, timeoutMs: 1_000, reserve }))
    await abortedRequest(app)
    await expect.poll(() => isReached).toBe(true)
    await expect.poll(() => limit.total).toEqual({ count: 0, bytes: 0 })
  })
})
