import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { connection } from './connection.ts'

let answer: () => Response = () => HttpResponse.error()
let asked = 0
const server = setupServer(
  http.get('*/healthz', () => {
    asked += 1
    return answer()
  }),
)
/** Lets the answer arrive, without the movable timers. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  connection.found()
  vi.useRealTimers()
})
afterAll(() => server.close())

it('A request without an answer means that the connection is away, any answer that it is back', () => {
  const told: boolean[] = []
  const stop = connection.subscribe(() => told.push(connection.isAway()))
  connection.lost()
  connection.lost()
  connection.found()
  connection.found()
  stop()
  expect(told).toEqual([true, false])
})

it('While the server is away it is asked again at growing intervals, until it answers [P4.4]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answer = () => HttpResponse.error()
  asked = 0
  connection.lost()
  for (const [afterMs, count] of [
    [2_000, 1],
    [4_000, 2],
    [8_000, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(afterMs - 1)
    expect(asked).toBe(count - 1)
    await vi.advanceTimersByTimeAsync(1)
    await settled()
    expect(asked).toBe(count)
  }
  answer = () => HttpResponse.json({ status: 'ok' })
  await connection.look()
  expect(connection.isAway()).toBe(false)
})

it("A proxy's answer for a server that restarts counts as away", async () => {
  answer = () => new HttpResponse(null, { status: 502 })
  await connection.look()
  expect(connection.isAway()).toBe(true)
  answer = () => new HttpResponse(null, { status: 503 })
  await connection.look()
  expect(connection.isAway()).toBe(false)
})
