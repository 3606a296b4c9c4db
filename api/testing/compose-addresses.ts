/** Faults in the addresses at which containers call each other: the stores and the sandbox. */
import { makeSecret } from '../operations/secrets/values.ts'
import type { Services } from './compose.ts'

const says = (holds: boolean, sentence: string) => (holds ? [] : [sentence])

const processesOf = (services: Services) =>
  Object.entries(services).filter(([, one]) => one.command?.[1] === 'dist/api/bin/process.js')

/** Compares the addresses that `npm run secrets` writes with the stores of the composition. */
export function ofStores(services: Services): string[] {
  const nodes = Object.entries(services).filter(([, one]) => one.image.startsWith('eventstore/'))
  const made = makeSecret['mongodb-url']({ 'mongo-password': 'x' })
  const { username, hostname, port, searchParams } = new URL(made)
  const set = searchParams.get('replicaSet') ?? ''
  const mongo = services['mongo']
  const [start, init] = [mongo, services['mongo-init']].map((one) => one?.entrypoint?.join(' ') ?? '') as [
    string,
    string,
  ]
  return [
    ...processesOf(services).flatMap(([name, { environment, networks, depends_on: waits }]) => {
      const address = environment['EVENTSTORE_URL'] || makeSecret['eventstore-url']({})
      const [, discovers, hosts = '', tls] = /^esdb(\+discover)?:\/\/([^?]+)\?tls=(true|false)$/.exec(address) ?? []
      const wanted = nodes.map(([node]) => `${node}:2113`)
      return [
        ...says(
          hosts.split(',').toSorted().join() === wanted.toSorted().join() &&
            (discovers !== undefined) === nodes.length > 1,
          `${name}: ${address} is not the address of EventStoreDB`,
        ),
        ...says(
          Boolean(environment['EVENTSTORE_URL']) !== Boolean(environment['EVENTSTORE_URL_FILE']),
          `${name}: it has two addresses of EventStoreDB, or none`,
        ),
        ...says(
          nodes.every(([, one]) => (one.environment['EVENTSTORE_INSECURE'] === 'true') === (tls === 'false')),
          `${name}: EventStoreDB speaks another protocol than ${address}`,
        ),
        ...nodes
          .filter(([node]) => waits[node]?.condition !== 'service_healthy')
          .map(([node]) => `${name}: it does not wait for ${node}`),
        ...says(
          [...nodes.map(([, one]) => one), mongo].every((store) =>
            store?.networks.some((one) => networks.includes(one)),
          ),
          `${name}: it shares no network with the stores`,
        ),
      ]
    }),
    ...says(services[hostname] === mongo && port === '27017', 'MongoDB is not at the address of mongodb-url'),
    ...says(
      mongo?.environment['MONGO_INITDB_ROOT_USERNAME'] === username &&
        mongo.environment['MONGO_INITDB_ROOT_PASSWORD_FILE'] === '/run/secrets/mongo-password',
      'MongoDB has another user than mongodb-url',
    ),
    ...says(
      start.endsWith(`docker-entrypoint.sh mongod --replSet ${set} --keyFile /run/secrets/mongo-key --bind_ip_all`),
      `mongo: its replica set is not ${set}, or its key is elsewhere, or it listens to itself alone`,
    ),
    ...says(
      init.includes(`_id: "${set}"`) &&
        init.includes(`host: "${hostname}:${port}"`) &&
        init.includes(`--username ${username} `),
      `mongo-init: it makes another replica set than ${set}`,
    ),
  ]
}

/** Browsers come through the proxy, processes directly. Production has no sandbox unless it is asked for. */
export function ofSandbox(services: Services, isProduction: boolean): string[] {
  const [sandbox, proxy, api] = [services['sandbox'], services['proxy'], services['api']]
  const port = /:(\d+):\d+$/.exec(proxy?.ports[0] ?? '')?.[1]
  const callers = [...processesOf(services), ['sandbox', sandbox] as const]
  return [
    ...says(sandbox?.ports.length === 0, 'sandbox: it is published without the proxy'),
    ...says(
      sandbox?.environment['PUBLIC_INTERNAL_URL'] === `http://api:${api?.environment['PORT']}`,
      'sandbox: it does not fetch images from the API',
    ),
    ...says(
      sandbox?.networks.some((one) => api?.networks.includes(one)) === true,
      'sandbox: it shares no network with the processes',
    ),
    ...says(
      (sandbox?.profiles.join() ?? '') === (isProduction ? 'sandbox' : ''),
      isProduction ? 'sandbox: it starts in production' : 'sandbox: without it no account can be connected',
    ),
    ...callers.flatMap(([name, one]) => {
      const inside = `http://sandbox:${sandbox?.environment['PORT']}/sandbox`
      const [shown, internal] = isProduction
        ? ['${SANDBOX_URL:-}', `\${SANDBOX_URL:+${inside}}`]
        : [`\${SANDBOX_URL:-\${PUBLIC_URL:-http://localhost:${port}}/sandbox}`, inside]
      return [
        ...says(one?.environment['SANDBOX_URL'] === shown, `${name}: browsers do not reach the sandbox at SANDBOX_URL`),
        ...says(
          one?.environment['SANDBOX_INTERNAL_URL'] === internal,
          `${name}: processes do not reach the sandbox at SANDBOX_INTERNAL_URL`,
        ),
      ]
    }),
  ]
}
