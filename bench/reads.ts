/** An authenticated list of clients against bare Express 5 that sends the same bytes. */
import autocannon from 'autocannon'
import express from 'express'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { brand, owner, testServer } from '../api/testing/server.ts'
import { grouped, percentile, print } from './report.ts'

const connections = 32
const seconds = 4

export async function reads(): Promise<void> {
  const server = await testServer({ PUBLISH_POLL_MS: '250' })
  const caller = await owner(server)
  await brand(caller)
  for (let index = 1; index < 10; index++)
    await caller.callOrThrow('addClient', {
      body: { name: `Brand ${index}`, industry: 'Food and drink', toneOfVoice: 'warm' },
    })
  const { text } = await caller.ask('listClients')
  const bareServer = await bare(text)
  const bareRates: number[] = []
  const ourRates: number[] = []
  // In turns, so that what else the machine does weighs on both alike.
  for (let turn = 0; turn < 3; turn++) {
    bareRates.push(await load(bareServer.url, ''))
    ourRates.push(await load(`${server.url}/api/clients`, caller.cookie))
  }
  const [reference, ours] = [percentile(bareRates, 0.5), percentile(ourRates, 0.5)]
  print(`GET /api/clients, signed in, 10 clients, ${text.length} bytes, ${connections} connections`, [
    { what: 'reference: bare Express 5, same bytes', figure: `${grouped(reference)}/s` },
    { what: 'ours', figure: `${grouped(ours)}/s, ${(ours / reference).toFixed(2)} of the reference` },
  ])
  bareServer.close()

  await server.remove()
}

async function load(url: string, cookie: string): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    workers: 1,
    headers: cookie === '' ? {} : { cookie },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} responses of ${url} failed`)
  return result.requests.average
}

async function bare(text: string) {
  const app = express()
  app.get('/', (_, response) => void response.type('application/json').send(text))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
