/** A server without a model, over real HTTP: an impossible rewrite is explained to the user and logged as no error. */
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
const lines: string[] = []

beforeAll(async () => {
  server = await testServer({}, { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) })
})
afterAll(() => server.remove())

it.each(['application/json', 'text/event-stream'])(
  'A rewrite that needs a model is refused with an explanation and logs nothing (%s)',
  async (accept) => {
    const caller = await owner(server)
    const { clientId } = await brand(caller, 'twitter')
    lines.length = 0
    for (const [text, how] of [
      ['One. Two.', 'longer'],
      ['One. Two.', 'casual'],
      ['One', 'shorter'],
      ['x'.repeat(270), 'call-to-action'],
    ] as const) {
      const body = JSON.stringify({ clientId, platform: 'twitter', rewrite: { text, how } })
      const { status, text: sentence } = await caller.fetch('POST', '/api/generate-content', body, {
        'Content-Type': 'application/json',
        Accept: accept,
      })
      expect({ how, status }).toEqual({ how, status: how === 'call-to-action' ? 409 : 503 })
      expect(sentence).toMatch(/^(AI is not connected on this server|There is no room left for a call to action)/)
    }
    expect(lines).toEqual([])
  },
)
