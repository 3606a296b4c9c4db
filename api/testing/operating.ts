/**
 * Faults in what operators use: Prometheus' targets, the deployment page's files and addresses, and the files that the
 * image leaves out.
 */
import { parse } from 'yaml'
import { z } from 'zod'
import { roles } from '../composition/distributed.ts'
import type { Used } from './images.ts'

interface Service extends Used {
  readonly command?: readonly string[] | undefined
  readonly secrets: readonly string[]
  readonly networks: readonly string[]
  readonly env_file?: readonly { readonly path: string }[] | undefined
}
type Services = Readonly<Record<string, Service>>

/** https://prometheus.io/docs/prometheus/latest/configuration/configuration/ */
const prometheusFile = z.strictObject({
  global: z.strictObject({ scrape_interval: z.string().regex(/^\d+s$/) }),
  scrape_configs: z.tuple([
    z.strictObject({
      job_name: z.string(),
      metrics_path: z.literal('/metrics'),
      authorization: z.strictObject({ credentials_file: z.string() }),
      dns_sd_configs: z.tuple([
        z.strictObject({
          names: z.array(z.string()),
          type: z.literal('A'),
          port: z.int(),
          refresh_interval: z.string().regex(/^\d+s$/),
        }),
      ]),
    }),
  ]),
})

export function ofPrometheus(text: string, services: Services): string[] {
  const parsed = prometheusFile.safeParse(parse(text))
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `prometheus.yml: ${path.join('.')}: ${message}`)
  const [
    {
      authorization,
      dns_sd_configs: [{ names, port }],
    },
  ] = parsed.data.scrape_configs
  const prometheus = services['prometheus']
  const running = Object.entries(services).flatMap(([name, { command }]) =>
    roles.some((role) => role === command?.[2]) ? [name] : [],
  )
  const [, token = ''] = /^\/run\/secrets\/([\w-]+)$/.exec(authorization.credentials_file) ?? []
  return [
    ...running.filter((name) => !names.includes(name)).map((name) => `prometheus: it doesn't ask ${name}`),
    ...names.filter((name) => !running.includes(name)).map((name) => `prometheus: there is nobody called ${name}`),
    ...names
      .filter((name) => services[name]?.environment['PORT'] !== String(port))
      .map((name) => `prometheus: ${name} is not at ${port}`),
    ...names
      .filter((name) => !services[name]?.networks.some((network) => prometheus?.networks.includes(network)))
      .map((name) => `prometheus: it shares no network with ${name}`),
    ...(prometheus?.secrets.includes(token) ? [] : ['prometheus: its token is not handed to it']),
    ...names
      .filter((name) => services[name]?.environment['METRICS_TOKEN_FILE'] !== authorization.credentials_file)
      .map((name) => `prometheus: ${name} wants another token`),
    ...(prometheus?.ports.every((published) => published.startsWith('127.0.0.1:'))
      ? []
      : ['prometheus: it shows everybody everything, without a password']),
  ]
}

/** The files that the deployment page has made, and the addresses that it writes into two of them. */
export function ofReadme(readme: string, secrets: readonly string[], services: Services): string[] {
  const block = /```sh\n(mkdir -m 700 secrets[^`]*)```/.exec(readme)?.[1] ?? ''
  const made = [...block.matchAll(/> ([\w-]+)$/gm)].map(([, name = '']) => name)
  const events = /esdb:\/\/([\w-]+):(\d+)\?tls=(\w+)/.exec(block)
  const documents =
    /mongodb:\/\/([\w-]+):\$\(cat ([\w-]+)\)@([\w-]+):(\d+)\/socialai\?authSource=admin&replicaSet=(\w+)/.exec(block)
  const mongo = services['mongo']
  const [start = '', init = ''] = [
    mongo?.entrypoint?.join(' ') ?? '',
    services['mongo-init']?.entrypoint?.join(' ') ?? '',
  ]
  const [eventstore, reach] = [
    services[events?.[1] ?? ''],
    Object.values(services).filter(({ secrets: given }) => given.includes('eventstore-url')),
  ]
  const says = (holds: boolean, sentence: string) => (holds ? [] : [sentence])
  const set = documents?.[5] ?? ''
  return [
    ...secrets
      .filter((name) => !made.includes(name))
      .map((name) => `docs/deployment.md: it doesn't say how to make ${name}`),
    ...made.filter((name) => !secrets.includes(name)).map((name) => `docs/deployment.md: nobody reads ${name}`),
    ...says(
      eventstore !== undefined &&
        events?.[2] === '2113' &&
        (events[3] === 'false') === (eventstore.environment['EVENTSTORE_INSECURE'] === 'true'),
      'docs/deployment.md: EventStoreDB is not at the address of eventstore-url',
    ),
    ...says(
      services[documents?.[3] ?? ''] === mongo && documents?.[4] === '27017',
      'docs/deployment.md: MongoDB is not at the address of mongodb-url',
    ),
    ...says(
      documents?.[1] === mongo?.environment['MONGO_INITDB_ROOT_USERNAME'] &&
        mongo?.environment['MONGO_INITDB_ROOT_PASSWORD_FILE'] === `/run/secrets/${documents?.[2]}`,
      'docs/deployment.md: MongoDB has another user than mongodb-url',
    ),
    ...says(
      reach.every(({ networks }) =>
        [eventstore, mongo].every((store) => store?.networks.some((network) => networks.includes(network))),
      ),
      'the processes share no network with the stores',
    ),
    ...says(start.includes(`mongod --replSet ${set} `), `mongo: its replica set is not called ${set}`),
    ...says(
      init.includes(`_id: "${set}"`) &&
        init.includes(`host: "${documents?.[3]}:${documents?.[4]}"`) &&
        init.includes(`--username ${documents?.[1]} `),
      `mongo-init: it makes another replica set than ${set}`,
    ),
    ...says(
      /install -m 400 \/run\/secrets\/mongo-key (\S+) .*--keyFile \1 .*--bind_ip_all/.test(start),
      'mongo: its key is not where it looks, or it listens to itself alone',
    ),
  ]
}

/** The image must not contain the keys and settings of its builder. */
export function ofIgnored(dockerignore: string, files: readonly string[], services: Services): string[] {
  const ignored = dockerignore.split('\n').map((line) => line.replace(/\/$/, ''))
  const local = [
    ...files.map((file) => file.replace(/^\.\//, '').split('/')[0] ?? ''),
    ...Object.values(services).flatMap(({ env_file: given }) => (given ?? []).map(({ path }) => path)),
  ]
  return [...new Set([...local, '.env*', 'data', '.git', 'node_modules'])]
    .filter((name) => !ignored.includes(name))
    .map((name) => `.dockerignore: ${name} comes into the image`)
}
