/**
 * The settings that third-party images read according to their documentation: an image ignores any other setting.
 */
import { isIP } from 'node:net'

export interface Used {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly tmpfs: readonly string[]
  readonly ports: readonly string[]
  readonly entrypoint?: readonly string[] | undefined
  readonly healthcheck?: { readonly test: readonly string[] } | undefined
}

interface Image {
  readonly tags: readonly string[]
  /** Each variable, and what may be its value. */
  readonly settings: Readonly<
    Record<string, (value: string, of: { readonly name: string; readonly peers: readonly string[] }) => boolean>
  >
  /** Those of them without which it is not what the code talks to. */
  readonly needed: readonly string[]
  readonly mounts: readonly string[]
  readonly scratch: readonly string[]
  readonly port: number
  /** How it is asked whether it is there. */
  readonly health: RegExp | null
}

const flag = (value: string) => ['true', 'false'].includes(value)
const itself = (value: string, { name }: { readonly name: string }) => value === name
const others = (value: string, { name, peers }: { readonly name: string; readonly peers: readonly string[] }) =>
  value
    .split(',')
    .every(
      (seed) => seed.endsWith(':2113') && seed !== `${name}:2113` && peers.includes(seed.slice(0, -':2113'.length)),
    )

/** With the addresses of what each line is taken from; the tags are those of Docker Hub. */
const images: Readonly<Record<string, Image>> = {
  // https://developers.eventstore.com/server/v23.10/: installation, configuration, networking, cluster,
  // diagnostics/health-checks
  'eventstore/eventstore': {
    tags: ['23.10.0-jammy'],
    settings: {
      EVENTSTORE_INSECURE: flag,
      EVENTSTORE_CLUSTER_SIZE: (value) => /^\$\{EVENTSTORE_CLUSTER_SIZE:-1\}$/.test(value),
      EVENTSTORE_DISCOVER_VIA_DNS: flag,
      EVENTSTORE_GOSSIP_SEED: others,
      EVENTSTORE_RUN_PROJECTIONS: (value) => ['None', 'System', 'All'].includes(value),
      EVENTSTORE_NODE_IP: (value) => isIP(value) !== 0,
      EVENTSTORE_REPLICATION_IP: (value) => isIP(value) !== 0,
      EVENTSTORE_NODE_HOST_ADVERTISE_AS: itself,
      EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: itself,
    },
    needed: [
      'EVENTSTORE_INSECURE',
      'EVENTSTORE_DISCOVER_VIA_DNS',
      'EVENTSTORE_GOSSIP_SEED',
      'EVENTSTORE_NODE_IP',
      'EVENTSTORE_REPLICATION_IP',
      'EVENTSTORE_NODE_HOST_ADVERTISE_AS',
      'EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS',
    ],
    mounts: ['/var/lib/eventstore'],
    scratch: ['/tmp', '/var/log/eventstore'],
    port: 2113,
    health: /^curl --fail --silent http:\/\/127\.0\.0\.1:2113\/health\/live$/,
  },
  // https://hub.docker.com/_/mongo
  mongo: {
    tags: ['8.0.4-noble'],
    settings: {
      MONGO_INITDB_ROOT_USERNAME: (value) => value !== '',
      MONGO_INITDB_ROOT_PASSWORD_FILE: (value) => value.startsWith('/run/secrets/'),
    },
    needed: ['MONGO_INITDB_ROOT_USERNAME', 'MONGO_INITDB_ROOT_PASSWORD_FILE'],
    mounts: ['/data/db', '/data/configdb'],
    scratch: ['/tmp'],
    port: 27_017,
    health: /^mongosh .*ping/,
  },
  // https://github.com/nginx/docker-nginx-unprivileged: its own temporary files are in /tmp
  'nginxinc/nginx-unprivileged': {
    tags: ['1.28.0-alpine'],
    settings: {},
    needed: [],
    mounts: ['/etc/nginx/conf.d/default.conf'],
    scratch: ['/tmp'],
    port: 8080,
    health: /http:\/\/127\.0\.0\.1:8080\/healthz$/,
  },
  // https://prometheus.io/docs/prometheus/latest/installation/
  'prom/prometheus': {
    tags: ['v3.2.1'],
    settings: {},
    needed: [],
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
  const peers = Object.entries(services).flatMap(([peer, { image: other }]) => (other === used.image ? [peer] : []))
  const mounts = used.volumes.map((volume) => volume.split(':')[1] ?? '')
  const health = used.healthcheck?.test.slice(1).join(' ')
  // One that has an entry point of its own and keeps nothing is a visitor, who sets nothing up.
  const isVisitor = used.volumes.length === 0 && used.entrypoint !== undefined
  return [
    ...(image.tags.includes(tag) ? [] : [`${name}: ${title} was never published as ${tag}, as far as is known`]),
    ...Object.entries(used.environment).flatMap(([setting, value]) => {
      const fits = image.settings[setting]
      return fits
        ? fits(value, { name, peers })
          ? []
          : [`${name}: ${setting} can't be ${value}`]
        : [`${name}: ${title} doesn't read ${setting}`]
    }),
    ...(isVisitor
      ? []
      : image.needed
          .filter((setting) => used.environment[setting] === undefined)
          .map((setting) => `${name}: ${setting} is missing`)),
    ...mounts
      .filter((mount) => !image.mounts.includes(mount))
      .map((mount) => `${name}: ${title} doesn't look at ${mount}`),
    ...(isVisitor
      ? []
      : image.mounts.filter((mount) => !mounts.includes(mount)).map((mount) => `${name}: nothing is kept of ${mount}`)),
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
