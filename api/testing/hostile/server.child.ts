/**
 * A server in a process of its own, with short time-outs, for tests that attack it from outside. It tells its own
 * memory and descriptors when it is asked, so run it with `--expose-gc`.
 */
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { readConfig } from '../../runtime/config.ts'
import { startEmbedded } from '../../composition/embedded.ts'
import type { Measure, Started, Timeouts } from './attacked-server.ts'

const timeouts = JSON.parse(process.env['EDGE_TIMEOUTS'] ?? '{}') as Timeouts
const folder = await temporaryFolder('hostile')
const webRoot = join(folder, 'web')
await mkdir(join(webRoot, 'assets'), { recursive: true })
await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>SocialAI</title>')
await writeFile(join(webRoot, 'assets', 'big-abc.js'), Buffer.alloc(3 * 1024 * 1024, 'const a=1;'))

const config = readConfig({
  PORT: '0',
  LOG_LEVEL: 'error',
  BACKUP: 'off',
  REQUESTS_PER_MINUTE: process.env['REQUESTS_PER_MINUTE'] ?? '200000',
  PUBLISH_POLL_MS: '1000',
  DATA_DIR: folder,
})
const limits = { registrations: 100_000 }
// Its log is read by the test: an error in it is a fault.
const running = await startEmbedded(config, {
  log: pino({ level: config.LOG_LEVEL }, pino.destination({ dest: 1, sync: true })),
  webRoot,
  timeouts,
  limits,
})

const megabytes = (bytes: number) => Math.round((bytes / 1024 / 1024) * 10) / 10

function measure(): Measure {
  // Twice: the first collection runs finalizers whose memory only the second one frees.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  return {
    memory: megabytes(heapUsed + external + arrayBuffers),
    rss: megabytes(rss),
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  }
}

process.on('message', async (asked) => {
  if (asked === 'measure') process.send?.(measure())
  if (asked !== 'stop') return
  await running.close()
  await removeFolder(folder)
  process.exit(0)
})
process.send?.({ url: running.localUrl, folder } satisfies Started)
