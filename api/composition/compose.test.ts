/**
 * The container files match the settings in code.
 *
 * @module-tag long
 */
import { readFileSync } from 'node:fs'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { healthRoutes } from '../runtime/health-routes.ts'
import { listen } from '../runtime/listen.ts'
import { readConfig } from '../runtime/config.ts'
import { problemsOf, type Deployment } from '../testing/compose.ts'

const deployment: Deployment = {
  compose: readFileSync('docker-compose.yml', 'utf8'),
  production: readFileSync('docker-compose.production.yml', 'utf8'),
  cluster: readFileSync('docker-compose.cluster.yml', 'utf8'),
  dockerfile: readFileSync('Dockerfile', 'utf8'),
  nginx: readFileSync('ops/nginx.conf', 'utf8'),
  prometheus: readFileSync('ops/prometheus.yml', 'utf8'),
  readme: readFileSync('docs/deployment.md', 'utf8'),
  dockerignore: readFileSync('.dockerignore', 'utf8'),
}

describe('docker-compose.yml, its overlays, Dockerfile and the proxy', () => {
  it('fit together, and fit the code and the images', () => {
    expect(problemsOf(deployment)).toEqual([])
  })

  it.each<readonly [keyof Deployment, string, string]>([
    ['compose', 'MONGODB_URL_FILE', 'MONGO_URL_FILE'],
    ['compose', 'PORT: "3000"', 'PORT: "3002"'],
    ['compose', 'target: run', 'target: runtime'],
    ['compose', 'dist/api/bin/process.js', 'dist/api/main.js'],
    ['compose', 'process.js, worker', 'process.js, publisher'],
    ['compose', 'mongo: { condition: service_healthy }', 'mongodb: { condition: service_healthy }'],
    ['compose', '127.0.0.1:3000:3000', '127.0.0.1:8080:3000'],
    ['compose', '"data:/data"', '"data:/app/data"'],
    ['compose', '"uploads:/uploads"', '"uploads:/upload"'],
    ['compose', 'UPLOAD_DIR: /uploads', 'UPLOAD_DIR: /tmp'],
    ['compose', 'mongo-config: {}', 'mongo-conf: {}'],
    ['compose', './ops/nginx.conf', './ops/proxy.conf'],
    ['compose', 'EVENTSTORE_RUN_PROJECTIONS: None', 'EVENTSTORE_RUN_PROJECTIONS: Off'],
    ['compose', 'EVENTSTORE_DISCOVER_VIA_DNS: "false"', 'EVENTSTORE_DISCOVER_VIA_DNS: "true"'],
    ['compose', '127.0.0.1:2113/health/live', '127.0.0.1:2999/health/live'],
    ['compose', '127.0.0.1:8080/healthz', '127.0.0.1:2999/healthz'],
    ['compose', '127.0.0.1:3000/healthz', '127.0.0.1:2999/healthz'],
    ['compose', 'eventstore:/var/lib/eventstore', 'eventstore:/var/lib/nope'],
    ['compose', 'MONGO_INITDB_ROOT_PASSWORD_FILE', 'MONGO_INITDB_PASSWORD_FILE'],
    ['compose', '_id: "rs0"', '_id: "rs1"'],
    ['compose', 'host: "mongo:27017"', 'host: "mongo:27018"'],
    ['compose', 'MONGO_INITDB_ROOT_USERNAME: socialai', 'MONGO_INITDB_ROOT_USERNAME: admin'],
    ['compose', 'mongo:/data/db', 'mongo:/data/mongo'],
    ['compose', 'prometheus:/prometheus', 'prometheus:/data'],
    ['compose', ':/etc/nginx/conf.d/default.conf', ':/etc/nginx/default.conf'],
    ['compose', '127.0.0.1:9090:9090', '127.0.0.1:9090:9091'],
    ['compose', 'PUBLIC_URL:-http://localhost:3000', 'PUBLIC_URL:-http://localhost:8080'],
    ['compose', 'PUBLIC_URL:-http://localhost:8080', 'PUBLIC_URL:-http://localhost:3000'],
    ['compose', 'HOST: 0.0.0.0', 'TRUST_PROXY: "true"'],
    ['compose', '\n  TRUST_PROXY: "true"', ''],
    ['dockerfile', 'AS run', 'AS runtime'],
    ['dockerfile', 'DATA_DIR=/data', 'DATA=/data'],
    ['dockerfile', 'dist/api/bin/start.js', 'dist/start.js'],
    ['dockerfile', 'EXPOSE 3000', 'EXPOSE 8080'],
    ['dockerfile', 'USER node', 'USER root'],
    ['nginx', 'api:3000', 'api:8000'],
    ['nginx', 'client_max_body_size 16m', 'client_max_body_size 1m'],
    ['nginx', 'proxy_buffering off', 'proxy_buffering on'],
    ['nginx', 'server api:3000', 'server worker:3000'],
    ['nginx', 'listen 8080', 'listen 80'],
    ['nginx', 'resolver 127.0.0.11', 'resolver 127.0.0.1'],
    ['nginx', 'zone api 64k;', ''],
    ['nginx', 'api:3000 resolve', 'api:3000'],
    ['nginx', 'proxy_pass http://api', 'proxy_pass http://apis'],
    ['nginx', 'proxy_read_timeout', 'proxy_reads_timeout'],
    ['nginx', 'X-Forwarded-For $remote_addr', 'X-Forwarded-For $http_x_forwarded_for'],
    ['nginx', 'real_ip_header X-Forwarded-For;', ''],
    ['nginx', '10.0.0.0/8', '0.0.0.0/0'],
    ['nginx', 'proxy_set_header X-Request-Id $asked_as;', ''],
    ['nginx', 'sandbox:3000', 'sandbox:3001'],
    ['nginx', 'http://$sandbox', 'http://sandbox:3000'],
    ['nginx', 'metrics|readyz', 'metrics'],
    ['nginx', 'metrics|readyz)(/|$)', 'metrics|readyz)$'],
    ['prometheus', 'port: 3000', 'port: 9090'],
    ['prometheus', 'secrets/metrics-token', 'secrets/token'],
    ['prometheus', 'metrics_path: /metrics', 'metrics_path: /metric'],
    ['prometheus', 'names: [api, projector, worker]', 'names: [api, projector]'],
    ['prometheus', 'names: [api, projector, worker]', 'names: [api, projector, workers]'],
    ['dockerfile', '/data /uploads', '/data'],
    ['nginx', 'limit_conn callers 200', 'limit_conn callers 2000'],
    ['nginx', '$binary_remote_addr zone', '$server_name zone'],
    ['readme', 'npm run secrets -- ./secrets', 'npm run secret -- ./secrets'],
    ['readme', '-f docker-compose.cluster.yml', '--profile cluster'],
    ['dockerignore', 'settings.env', 'settings'],
    ['dockerignore', 'secrets/', ''],
    ['dockerignore', '.env*', '.env'],
  ])('do not in %s with %s renamed to %s', (name, from, to) => {
    expect(deployment[name]).toContain(from)
    expect(problemsOf({ ...deployment, [name]: deployment[name].replace(from, to) })).not.toEqual([])
  })

  it('check health at the path that the server serves', async () => {
    const listening = await listen(readConfig({ PORT: '0' }))
    listening.serve(express().use(healthRoutes(() => [])))
    const statusOf = async (path: string) =>
      (await fetch(listening.own + path, { headers: { connection: 'close' } })).status
    expect(await Promise.all(['/healthz', '/readyz', '/readyz/', '/READYZ'].map(statusOf))).toEqual([
      200, 200, 404, 404,
    ])
    await listening.close()
  })
})
