/** Facts about third-party images, with the source of each: an image ignores or refuses what it doesn't know. */
import { isIP } from 'node:net'
import { eventStoreOptions, mongodOptions, mongoFixes } from './store-options.ts'

export interface Used {
  readonly image: string
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly tmpfs: readonly string[]
  readonly ports: readonly string[]
  readonly entrypoint?: readonly string[] | undefined
  readonly healthcheck?: { readonly test?: readonly string[] | undefined } | undefined
}

interface Image {
  readonly tags: readonly string[]
  /** The user and group that own its folders. */
  readonly user: string
  /** The variables that it must have, and what may be their values. */
  readonly needed: Readonly<Record<string, (value: string, name: string) => boolean>>
  readonly reads: (setting: string) => boolean
  readonly mounts: readonly string[]
  readonly scratch: readonly string[]
  readonly port: number
  readonly health: RegExp | null
}

const isName = (value: string, name: string) => value === name
const isAddress = (value: string) => isIP(value) !== 0
const secretsMount = '/run/secrets'

/** The tags are those of Docker Hub. None was pulled here. */
const images: Readonly<Record<string, Image>> = {
  // User, folders and curl: https://github.com/EventStore/EventStore/blob/master/Dockerfile (007777ba). The tag is in
  // use in public repositories. /health/live: https://developers.eventstore.com/server/v23.10/diagnostics.html
  'eventstore/eventstore': {
    tags: ['23.10.0-jammy'],
    user: '1000:1000',
    needed: {
      EVENTSTORE_INSECURE: (value) => value === 'true',
      EVENTSTORE_CLUSTER_SIZE: (value) => /^[1-9]$/.test(value),
      // The default is true, with a name that doesn't exist.
      EVENTSTORE_DISCOVER_VIA_DNS: (value) => value === 'false',
      EVENTSTORE_RUN_PROJECTIONS: (value) => ['None', 'System', 'All'].includes(value),
      EVENTSTORE_NODE_IP: isAddress,
      EVENTSTORE_REPLICATION_IP: isAddress,
      EVENTSTORE_NODE_HOST_ADVERTISE_AS: isName,
      EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: isName,
    },
    reads: (setting) => eventStoreOptions.has(setting),
    mounts: ['/var/lib/eventstore'],
    scratch: ['/tmp', '/var/log/eventstore'],
    port: 2113,
    health: /^curl --fail --silent http:\/\/127\.0\.0\.1:2113\/health\/live$/,
  },
  // User, folders and variables: https://github.com/docker-library/mongo/tree/master/8.0, Dockerfile (0223203c) and
  // docker-entrypoint.sh (7c4db1d3). The tags have the form of https://hub.docker.com/layers/library/mongo/8.3.11-noble.
  mongo: {
    tags: ['8.0.28-noble'],
    user: '999:999',
    needed: {
      MONGO_INITDB_ROOT_USERNAME: (value) => value !== '',
      MONGO_INITDB_ROOT_PASSWORD_FILE: (value) => value.startsWith(`${secretsMount}/`),
    },
    reads: (setting) => setting.startsWith('MONGO_INITDB_'),
    mounts: ['/data/db', '/data/configdb'],
    scratch: ['/tmp'],
    port: 27_017,
    health: /^mongosh .*ping/,
  },
  // User 101, port 8080 and temporary files in /tmp: https://github.com/nginx/docker-nginx-unprivileged/tree/main/stable,
  // alpine-slim/Dockerfile (35a0ecd2)
  'nginxinc/nginx-unprivileged': {
    tags: ['1.28.0-alpine'],
    user: '101:101',
    needed: {},
    reads: () => false,
    mounts: ['/etc/nginx/conf.d/default.conf'],
    scratch: ['/tmp'],
    port: 8080,
    health: /http:\/\/127\.0\.0\.1:8080\/healthz$/,
  },
  // User nobody and /prometheus: https://github.com/prometheus/prometheus/blob/v3.2.1/Dockerfile
  'prom/prometheus': {
    tags: ['v3.2.1'],
    user: '65534:65534',
    needed: {},
    reads: () => false,
    mounts: ['/etc/prometheus/prometheus.yml', '/prometheus'],
    scratch: ['/tmp'],
    port: 9090,
    health: null,
  },
}

/** Faults in the use of a third party's image. */
export function ofOthers(name: string, used: Used, services: Readonly<Record<string, Used>>): string[] {
  const [title = '', tag = ''] = used.image.split(':')
  const image = images[title]
  if (!image) return [`${name}: nothing is known of the image ${title}`]
  const mounts = used.volumes.map((volume) => volume.split(':')[1] ?? '').filter((mount) => mount !== secretsMount)
  const health = used.healthcheck?.test?.slice(1).join(' ')
  // A container with its own entry point and without data only visits the server.
  const isVisitor = mounts.length === 0 && used.entrypoint !== undefined
  const settings = Object.entries(used.environment)
  return [
    ...(image.tags.includes(tag) ? [] : [`${name}: no source shows that ${title} was published as ${tag}`]),
    ...(title === 'mongo' ? unmended(name, tag) : []),
    ...(title === 'eventstore/eventstore' ? ofSeeds(name, used, services) : []),
    ...(title === 'mongo' && !isVisitor ? ofMongod(name, used) : []),
    ...(used.user === image.user ? [] : [`${name}: ${title} runs as ${image.user}, not as ${used.user}`]),
    ...settings
      .filter(([setting]) => !image.reads(setting))
      .map(([setting]) => `${name}: ${title} doesn't read ${setting}`),
    ...settings
      .filter(([setting, value]) => image.needed[setting]?.(value, name) === false)
      .map(([setting, value]) => `${name}: ${setting} can't be ${value}`),
    ...Object.keys(isVisitor ? {} : image.needed)
      .filter((setting) => used.environment[setting] === undefined)
      .map((setting) => `${name}: ${setting} is missing`),
    ...mounts
      .filter((mount) => !image.mounts.includes(mount))
      .map((mount) => `${name}: ${title} doesn't look at ${mount}`),
    ...image.mounts
      .filter((mount) => !isVisitor && !mounts.includes(mount))
      .map((mount) => `${name}: nothing is kept of ${mount}`),
    ...used.tmpfs
      .map((path) => path.split(':')[0] ?? '')
      .filter((path) => !image.scratch.includes(path))
      .map((path) => `${name}: ${title} doesn't write to ${path}`),
    ...used.ports
      .filter((port) => !port.endsWith(`:${image.port}`))
      .map((port) => `${name}: ${title} doesn't listen on ${port}`),
    ...(isVisitor || image.health === null || (health !== undefined && image.health.test(health))
      ? []
      : [`${name}: its health is not asked where it is`]),
  ]
}

function unmended(name: string, tag: string): string[] {
  const [, patch] = /^8\.0\.(\d+)-/.exec(tag) ?? []
  if (patch === undefined) return [`${name}: ${tag} is no version of MongoDB 8.0`]
  return Object.entries(mongoFixes)
    .filter(([, fixed]) => Number(patch) < fixed)
    .map(([weakness, fixed]) => `${name}: MongoDB 8.0.${patch} has ${weakness}, which 8.0.${fixed} mends`)
}

/**
 * A node alone must have no seeds, and a member of a cluster all other members:
 * https://github.com/EventStore/EventStore/blob/master/src/EventStore.Core/Configuration/ClusterVNodeOptionsValidator.cs
 * (025b2f72) ends a server whose ClusterSize is 1 and that has several seeds.
 */
function ofSeeds(name: string, used: Used, services: Readonly<Record<string, Used>>): string[] {
  const peers = Object.keys(services).filter((peer) => services[peer]?.image === used.image && peer !== name)
  const size = Number(used.environment['EVENTSTORE_CLUSTER_SIZE'])
  const seeds = used.environment['EVENTSTORE_GOSSIP_SEED']?.split(',') ?? []
  if (size === 1 && seeds.length > 0) return [`${name}: a single node ends when it has seeds`]
  return [
    ...(size === peers.length + 1 ? [] : [`${name}: the cluster has ${peers.length + 1} nodes, not ${size}`]),
    ...(seeds.toSorted().join() === (size === 1 ? [] : peers.map((peer) => `${peer}:2113`).toSorted()).join()
      ? []
      : [`${name}: its seeds are not the other nodes`]),
  ]
}

function ofMongod(name: string, { entrypoint }: Used): string[] {
  const command = /mongod (.*)$/.exec(entrypoint?.join(' ') ?? '')?.[1] ?? ''
  return [...command.matchAll(/--(\w+)/g)]
    .filter(([, option = '']) => !mongodOptions.has(option))
    .map(([, option]) => `${name}: mongod knows no --${option}`)
}
