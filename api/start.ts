/** `npm start`: the embedded shape, with its address and its data folder told. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { StoreUnavailable } from '../domain/event-store/port.ts'
import { ConfigError, readConfig } from './config.ts'
import { VaultError } from './networks/sealing.ts'
import { startEmbedded } from './embedded.ts'
import { warningsOf } from './networks/config.ts'

const webRoot = process.env['WEB_ROOT'] ?? fileURLToPath(new URL('../web/', import.meta.url))

try {
  const config = readConfig(process.env)
  const log = pino({ level: config.LOG_LEVEL })
  const running = await startEmbedded(config, { log, webRoot })
  console.log(`SocialAI is running on ${running.url}`)
  console.log(`Your data is in ${resolve(running.dataDir)}.`)
  for (const warning of warningsOf(config, running.url)) console.warn(warning)
  const { sandboxed } = running
  if (sandboxed.length > 0) console.log(`Posts for ${sandboxed.join(', ')} are published to the sandbox: ${running.url}/sandbox`)

  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
} catch (error) {
  console.error(sentenceFor(error))
  process.exit(1)
}

function sentenceFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StoreUnavailable) return error.message
  if (error instanceof VaultError) {
    return "ENCRYPTION_KEY: the keys to the connected accounts can't be read with it. Put the earlier key into ENCRYPTION_KEYS_OLD, or restore the secrets folder of DATA_DIR from a backup."
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env['PORT'] ?? 3000} is in use by another program. Stop it, or choose another: PORT=3001 npm start`
  }
  if (error instanceof Error && 'code' in error && ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(String(error.code))) {
    return `HOST: this machine has no address ${process.env['HOST'] ?? '127.0.0.1'}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
