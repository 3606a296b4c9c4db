/**
 * The Compose files, laid over each other, against facts of the images: each check is shown by its fault. Nothing is
 * pulled or started: api/testing names the source of each fact.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemsOf, type Deployment } from '../testing/compose.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const deployment: Deployment = {
  compose: read('docker-compose.yml'),
  production: read('docker-compose.production.yml'),
  cluster: read('docker-compose.cluster.yml'),
  dockerfile: read('Dockerfile'),
  nginx: read('ops/nginx.conf'),
  prometheus: read('ops/prometheus.yml'),
  readme: read('docs/deployment.md'),
  dockerignore: read('.dockerignore'),
}

/** Every occurrence is replaced. */
const problemsWith = (name: keyof Deployment, from: string, to: string) => {
  expect(deployment[name]).toContain(from)
  return problemsOf({ ...deployment, [name]: deployment[name].replaceAll(from, to) }).join('\n')
}

describe('The Compose files', () => {
  it.each<readonly [string, keyof Deployment, string, string, RegExp]>([
    [
      'a single node with seeds',
      'compose',
      'EVENTSTORE_CLUSTER_SIZE: "1"',
      'EVENTSTORE_CLUSTER_SIZE: "1"\n      EVENTSTORE_GOSSIP_SEED: eventstore-2:2113,eventstore-3:2113',
      /^laptop: eventstore: a single node ends when it has seeds$/m,
    ],
    [
      'a cluster of three without a seed',
      'cluster',
      'EVENTSTORE_GOSSIP_SEED: eventstore-2:2113,eventstore-3:2113',
      'EVENTSTORE_GOSSIP_SEED: eventstore-2:2113',
      /with a cluster: eventstore: its seeds are not the other nodes/,
    ],
    [
      'a cluster of another size',
      'cluster',
      'EVENTSTORE_CLUSTER_SIZE: "3"',
      'EVENTSTORE_CLUSTER_SIZE: "5"',
      /the cluster has 3 nodes, not 5/,
    ],
    [
      'a node under the name of another',
      'cluster',
      'NODE_HOST_ADVERTISE_AS: eventstore-3',
      'NODE_HOST_ADVERTISE_AS: eventstore-2',
      /eventstore-3: EVENTSTORE_NODE_HOST_ADVERTISE_AS can't be eventstore-2/,
    ],
    [
      'an address with one node of three',
      'cluster',
      'esdb+discover://eventstore:2113,eventstore-2:2113,eventstore-3:2113',
      'esdb://eventstore:2113',
      /api: esdb:\/\/eventstore:2113\?tls=false is not the address of EventStoreDB/,
    ],
    [
      'two addresses of EventStoreDB',
      'cluster',
      'EVENTSTORE_URL_FILE: ""',
      'LOG_LEVEL: info',
      /two addresses of EventStoreDB/,
    ],
    [
      'an unknown option of EventStoreDB',
      'compose',
      'EVENTSTORE_NODE_IP',
      'EVENTSTORE_EXT_HTTP_IP',
      /doesn't read EVENTSTORE_EXT_HTTP_IP/,
    ],
    ['an unknown option of mongod', 'compose', '--bind_ip_all', '--bind_all', /mongod knows no --bind_all/],
    [
      'MongoDB before the fix of CVE-2025-14847',
      'compose',
      'mongo:8.0.28-noble',
      'mongo:8.0.16-noble',
      /MongoDB 8\.0\.16 has CVE-2025-14847, which 8\.0\.17 mends/,
    ],
    [
      'an image without a version',
      'compose',
      'nginx-unprivileged:1.28.0-alpine',
      'nginx-unprivileged:latest',
      /a version in full/,
    ],
    [
      'an image that no source shows',
      'compose',
      'prom/prometheus:v3.2.1',
      'prom/prometheus:v3.2.99',
      /no source shows/,
    ],
    [
      'a tmpfs that belongs to root',
      'compose',
      '/var/log/eventstore:uid=1000,gid=1000,mode=0700',
      '/var/log/eventstore',
      /eventstore: it can't write to \/var\/log\/eventstore/,
    ],
    [
      'a tmpfs of another user',
      'compose',
      '/data:uid=1000,gid=1000,mode=0700',
      '/data:uid=999,gid=999,mode=0700',
      /worker: it can't write to \/data/,
    ],
    [
      'an image as another user',
      'compose',
      'user: "999:999"',
      'user: "1000:1000"',
      /mongo: mongo runs as 999:999, not as 1000:1000/,
    ],
    ['a process as root', 'compose', 'user: "1000:1000"', 'user: "0:0"', /api: it runs as another user than node/],
    [
      'a port of every address',
      'compose',
      '127.0.0.1:9090:9090',
      '9090:9090',
      /a port of 127\.0\.0\.1, unless told otherwise/,
    ],
    [
      'a port that an overlay opens',
      'production',
      'api: *production',
      'api:\n    <<: *production\n    ports: ["3000:3000"]',
      /production: services\.api\.ports\.0: a port of 127\.0\.0\.1/,
    ],
    [
      'a sandbox that is published',
      'compose',
      'sandbox:/data"]',
      'sandbox:/data"]\n    ports: ["127.0.0.1:3001:3000"]',
      /sandbox: it is published without the proxy/,
    ],
    [
      'a sandbox in production',
      'production',
      'profiles: [sandbox]',
      'restart: unless-stopped',
      /sandbox: it starts in production/,
    ],
    [
      'no sandbox on a laptop',
      'compose',
      'command: [node, dist/api/bin/sandbox.js]',
      'profiles: [sandbox]\n    command: [node, dist/api/bin/sandbox.js]',
      /without it no account can be connected/,
    ],
    [
      'one sandbox address for all',
      'compose',
      'http://sandbox:3000/sandbox',
      'http://localhost:8080/sandbox',
      /processes do not reach the sandbox/,
    ],
    [
      'images at the address of browsers',
      'compose',
      'PUBLIC_INTERNAL_URL: http://api:3000',
      'PUBLIC_INTERNAL_URL: http://localhost:8080',
      /does not fetch images from the API/,
    ],
    [
      'a secret for another reader',
      'compose',
      '"secrets-mongo:/run/secrets:ro", "mongo:',
      '"secrets-prometheus:/run/secrets:ro", "mongo:',
      /mongo: mongo-key is not handed to it/,
    ],
    [
      'originals in the hands of a process',
      'compose',
      '["secrets-processes:/run/secrets:ro", "uploads:/uploads"]',
      '["secrets:/run/secrets:ro", "uploads:/uploads"]',
      /api: it holds secrets:\/run\/secrets:ro/,
    ],
    [
      'a reader without copies',
      'compose',
      '- secrets-mongo:/secrets/copies/mongo\n',
      '',
      /secrets: mongo gets no copies/,
    ],
    [
      'a start before the secrets',
      'compose',
      'secrets: { condition: service_completed_successfully }',
      'api: { condition: service_started }',
      /mongo: it starts before the secrets are there/,
    ],
    [
      'a maker of secrets with every right',
      'compose',
      'cap_add: [CHOWN]',
      'cap_add: [ALL]',
      /secrets: its rights are other ones/,
    ],
    [
      'a maker of secrets that repeats its failure',
      'compose',
      'restart: "no"',
      'restart: on-failure',
      /secrets: it repeats what failed/,
    ],
    [
      'a file to write before the first start',
      'compose',
      '\nvolumes:\n',
      '\nsecrets: { session-secret: { file: ./secrets/session-secret } }\nvolumes:\n',
      /a file has to be written before the first start/,
    ],
    [
      'a file of production that is not made',
      'production',
      'metrics-token',
      'metrics-key',
      /makes metrics-token, which is not handed to it/,
    ],
    [
      'production with one process',
      'production',
      'replicas: 2',
      'replicas: 1',
      /^production: services\.api\.deploy\.replicas/m,
    ],
    [
      'production without its own address',
      'production',
      '${PUBLIC_URL:?',
      '${PUBLIC_URL:-',
      /users are not sent to where it is reached/,
    ],
  ])('are refused with %s', (_, name, from, to, finding) => {
    expect(problemsWith(name, from, to)).toMatch(finding)
  })
})
