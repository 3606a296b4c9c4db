/** The files that start the product in containers say what the code reads. */
import { readFileSync } from 'node:fs'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { healthRoutes } from './http/health.ts'
import { listen } from './listen.ts'
import { readConfig } from './config.ts'
import { problemsOf, type Deployment } from './testing/compose.ts'

const deployment: Deployment = {
  compose: readFileSync('docker-compose.yml', 'utf8'),
  dockerfile: readFileSync('Dockerfile', 'utf8'),
  nginx: readFileSync('ops/nginx.conf', 'utf8'),
}

describe('docker-compose.yml, Dockerfile and the proxy', () => {
  it('fit together, and fit the code', () => {
    expect(problemsOf(deployment)).toEqual([])
  })

  it.each<readonly [keyof Deployment, string, string]>([
    ['compose', 'MONGODB_URL_FILE', 'MONGO_URL_FILE'],
    ['compose', 'PORT: "3000"', 'PORT: "3002"'],
    ['compose', '/healthz', '/health'],
    ['compose', 'target: run', 'target: runtime'],
    ['compose', 'dist/api/process.js', 'dist/api/main.js'],
    ['compose', 'process.js, worker', 'process.js, publisher'],
    ['compose', 'mongo: { condition: service_healthy }', 'mongodb: { condition: service_healthy }'],
    ['compose', '"3001:3000"', '"8080:3000"'],
    ['compose', '"data:/data"', '"data:/app/data"'],
    ['compose', 'mongo-config: {}', 'mongo-conf: {}'],
    ['compose', 'nginx-unprivileged:1.28.0-alpine', 'nginx-unprivileged:latest'],
    ['compose', 'read_only: true', 'read_onlyy: true'],
    ['compose', 'user: node', 'user: root'],
    ['compose', 'secrets: [mongo-key, mongo-password]', 'secrets: [mongo-password]'],
    ['compose', './ops/nginx.conf', './ops/proxy.conf'],
    ['dockerfile', 'AS run', 'AS runtime'],
    ['dockerfile', 'DATA_DIR=/data', 'DATA=/data'],
    ['dockerfile', 'dist/api/start.js', 'dist/start.js'],
    ['dockerfile', 'EXPOSE 3000', 'EXPOSE 8080'],
    ['dockerfile', 'USER node', 'USER root'],
    ['nginx', 'api:3000', 'api:8000'],
    ['nginx', 'client_max_body_size 16m', 'client_max_body_size 1m'],
    ['nginx', 'proxy_buffering off', 'proxy_buffering on'],
  ])('do not in %s with %s renamed to %s', (name, from, to) => {
    expect(deployment[name]).toContain(from)
    expect(problemsOf({ ...deployment, [name]: deployment[name].replace(from, to) })).not.toEqual([])
  })

  it('ask for health where it is told', async () => {
    const listening = await listen(readConfig({ PORT: '0' }))
    listening.serve(express().use(healthRoutes(() => [])))
    expect((await fetch(`${listening.own}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
    await listening.close()
  })
})
