/** `npm start`: the embedded shape; prints its address and its data folder. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../runtime/config.ts'
import { startEmbedded } from '../composition/embedded.ts'
import { warningsOf } from '../networks/config.ts'
import { run } from '../runtime/program.ts'
import { answerVersion } from './version.ts'

const webRoot = process.env['WEB_ROOT'] ?? fileURLToPath(new URL('../../web/', import.meta.url))

await answerVersion()
await run(async (config, log) => {
  if (config.EVENTSTORE_URL !== undefined) {
    throw new ConfigError(
      'EVENTSTORE_URL and MONGODB_URL are set: run npm run api, npm run projector and npm run worker instead of npm start, or leave both out.',
    )
  }
  const running = await startEmbedded(config, { log, webRoot })
  console.log(`SocialAI is running on ${running.url}`)
  console.log(`Your data is in ${resolve(running.dataDir)}.`)
  for (const warning of warningsOf(config, running.url)) console.warn(warning)
  const { sandboxed } = running
  if (sandboxed.length > 0)
    console.log(`Posts for ${sandboxed.join(', ')} are published to the sandbox: ${running.url}/sandbox`)
  return running
})
