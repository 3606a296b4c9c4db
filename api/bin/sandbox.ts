/** `npm run sandbox`: the sandbox networks as a separate program, for several processes to publish to. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import express from 'express'
import { systemClock } from '../core/clock.ts'
import { ConfigError, type Config } from '../runtime/config.ts'
import { RequestLimits } from '../http/request-limits.ts'
import { healthRoutes } from '../runtime/health-routes.ts'
import { listen } from '../runtime/listen.ts'
import { guardedFetch, type GuardedFetch } from '../features/media/guarded-fetch.ts'
import { createLook } from '../features/media/look.ts'
import { run } from '../runtime/program.ts'
import { realLimits } from '../sandbox/real-limits.ts'
import { createSandbox } from '../sandbox/server.ts'
import { answerVersion } from './version.ts'

/** Images of our own are fetched at the internal address: inside a container, `localhost` is the container. */
function fetchPublished(config: Config): GuardedFetch {
  const { PUBLIC_URL, PUBLIC_INTERNAL_URL, IMAGES_FROM_PRIVATE_NETWORKS: allowPrivate } = config
  const fetchOther = guardedFetch({ allowPrivate })
  if (PUBLIC_INTERNAL_URL === undefined) return fetchOther
  const fetchOwn = guardedFetch({ allowPrivate: true })
  return (url) =>
    URL.canParse(url) && new URL(url).origin === PUBLIC_URL
      ? fetchOwn(PUBLIC_INTERNAL_URL + new URL(url).pathname)
      : fetchOther(url)
}

await answerVersion()
await run(async (config) => {
  const { SANDBOX_URL, PUBLIC_URL, DATA_DIR } = config
  if (SANDBOX_URL === undefined || PUBLIC_URL === undefined)
    throw new ConfigError(
      'Set SANDBOX_URL (the address of the sandbox) and PUBLIC_URL (the address that it sends users back to).',
    )
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 })
  const listening = await listen(config)
  // Limited by address: the API clients are workers, each of which publishes for many users.
  const requestLimits = new RequestLimits(config.REQUESTS_PER_MINUTE)
  const sandbox = createSandbox({
    file: join(DATA_DIR, 'sandbox.db'),
    clock: systemClock,
    publicUrl: SANDBOX_URL,
    returnOrigins: [new URL(PUBLIC_URL).origin],
    fetchImage: createLook({
      images: { describe: () => Promise.resolve(null) },
      fetch: fetchPublished(config),
    }),
    callers: 'workers',
    count: (request) => requestLimits.countFile(request.ip ?? '', 0),
    ...(config.SANDBOX_LIMITS ? { limits: realLimits } : {}),
  })
  const health = healthRoutes(() => [])
  listening.serve(express().use(health).use(new URL(SANDBOX_URL).pathname, sandbox.router))
  console.log(`The sandbox networks are running on ${listening.own}; their address is ${SANDBOX_URL}`)
  return {
    async close() {
      await listening.close()
      sandbox.close()
    },
  }
})
