/** `npm run api`, `npm run projector`, `npm run worker`: one process of the distributed shape. */
import { fileURLToPath } from 'node:url'
import { roles, startProcess } from '../composition/distributed.ts'
import { warningsOf } from '../networks/config.ts'
import { run } from '../runtime/program.ts'
import { answerVersion } from './version.ts'

await answerVersion()
const webRoot = process.env['WEB_ROOT'] ?? fileURLToPath(new URL('../../web/', import.meta.url))
const role = roles.find((one) => one === process.argv[2])

if (!role) {
  console.error(`Name the process to start. Choose one of: ${roles.join(', ')}`)
  process.exit(2)
}
await run(async (config, log, signal) => {
  const running = await startProcess(role, config, { log: log.child({ process: role }), webRoot }, signal)
  console.log(
    role === 'api'
      ? `The API is running on ${running.localUrl}; its public address is ${running.publicUrl}`
      : `The ${role} is running; its health check is ${running.localUrl}/readyz`,
  )
  if (role === 'api') for (const warning of warningsOf(config, running.publicUrl)) console.warn(warning)
  return running
})
