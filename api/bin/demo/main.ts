/** `npm run demo`: fills a fresh data folder with an agency in the middle of its month, through the real API. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { ApiClient } from '../../http/client.ts'
import { MovableClock } from '../../core/clock.ts'
import { ConfigError, readConfig } from '../../runtime/config.ts'
import { sentenceFor } from '../../runtime/program.ts'
import { startEmbedded } from '../../composition/embedded.ts'
import { fillAgency } from './fill.ts'

const day = 24 * 3_600_000
const daysBack = 28
const email = 'demo@northstar.example'
const password = 'north-star-demo'
/** Built with the web app. */
const images = fileURLToPath(new URL('../../../web/demo/', import.meta.url))

try {
  const config = readConfig(process.env)
  const kept = await readdir(config.DATA_DIR).catch(() => [])
  if (kept.some((name) => name.endsWith('.db'))) {
    throw new ConfigError(
      `${resolve(config.DATA_DIR)} already has data, and the demo needs an empty folder. Try: DATA_DIR=./demo-data npm run demo`,
    )
  }
  await mustBeFree(config.PORT, config.HOST)
  console.log('Creating a demo agency with four weeks of activity. This takes up to half a minute…')
  const clock = new MovableClock(new Date(Date.now() - daysBack * day).toISOString())
  // Errors only: the lines about the demo account's own sign-in would stand between the lines for the user.
  const log = pino(
    { level: 'error' },
    { write: (line) => void (line.includes('"security":') || process.stderr.write(line)) },
  )
  const running = await startEmbedded(
    // On the port of `npm start`: the links of published posts are to work there.
    { ...config, PUBLISH_POLL_MS: 40 },
    { log, clock, webRoot: '', limits: { failures: 10, perAddress: 1000, registrations: 1000 } },
  )
  try {
    const caller = new ApiClient(running.url)
    await caller.callOrThrow('register', { body: { email, password, firstName: 'Demo', lastName: 'Owner' } })
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    await caller.callOrThrow('openAgency', { body: { name: 'North Star Agency', email, timeZone } })
    const result = await fillAgency({ caller, signIn: { email, password }, running, clock, days: daysBack, images })
    console.log(`Done: ${result.clients} clients, ${result.posts} posts, ${result.published} of them published.`)
  } finally {
    await running.close()
  }
  const folder = process.env['DATA_DIR'] === undefined ? '' : `DATA_DIR=${process.env['DATA_DIR']} `
  console.log(`\nNow run:   ${folder}npm start\nSign in:   ${email}\nPassword:  ${password}`)
} catch (error) {
  console.error(sentenceFor(error))
  process.exit(1)
}

/** Before anything is written: a started server creates its files first. @throws Error EADDRINUSE */
async function mustBeFree(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
