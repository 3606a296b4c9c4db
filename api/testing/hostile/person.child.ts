/** Asks for the list of clients every 50 ms, as a person who is signed in, and tells how long it took. */
import { Agent, request } from 'node:http'
import type { Failure, Watched } from './attacked-server.ts'

const port = Number(process.env['WATCHED_PORT'])
const cookie = process.env['WATCHED_COOKIE'] ?? ''
const agent = new Agent({ keepAlive: true, maxSockets: 50 })

let times: number[] = []
let failed: Failure[] = []
let isOn = false
const open = new Set<Promise<void>>()

const ask = () =>
  new Promise<void>((resolve) => {
    const begun = performance.now()
    const headers = { Cookie: cookie, Host: `localhost:${port}` }
    const asking = request({ port, host: '127.0.0.1', path: '/api/clients', agent, headers }, (response) => {
      response.resume().once('end', () => {
        times.push(performance.now() - begun)
        if (response.statusCode !== 200)
          failed.push({ reason: response.statusCode ?? 0, ms: performance.now() - begun })
        resolve()
      })
    })
    asking.once('error', (error: NodeJS.ErrnoException) => {
      failed.push({ reason: error.code ?? error.message, ms: performance.now() - begun })
      resolve()
    })
    asking.end()
  })

setInterval(() => {
  if (!isOn) return
  const asking = ask()
  open.add(asking)
  void asking.finally(() => open.delete(asking))
}, 50)

process.on('message', async (message) => {
  isOn = message === 'begin'
  await Promise.all(open)
  if (isOn) [times, failed] = [[], []]
  process.send?.(isOn ? 'begun' : ({ times, failed } satisfies Watched))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
