/**
 * The rules that judge the Compose files: the specification's schema and merging, and the sandbox's health check.
 *
 * @module-tag long
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../domain/test/free-port.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { mergedCompose, parsedCompose } from '../testing/compose-merge.ts'
import { schemaProblems } from '../testing/compose-schema.ts'
import { compiled } from '../../domain/test/compiled.ts'

const compose = readFileSync('docker-compose.yml', 'utf8')

describe('The schema of the Compose specification', () => {
  it.each(['', '.production', '.cluster'])('accepts docker-compose%s.yml', (name) => {
    expect(schemaProblems(readFileSync(`docker-compose${name}.yml`, 'utf8'))).toEqual([])
  })
  it.each([
    ['read_only: true', 'read_onlyy: true'],
    ['restart: unless-stopped', 'restart: [always]'],
    ['condition: service_healthy', 'condition: healthy'],
    ['disable: true', 'disabled: true'],
  ])('refuses %s as %s', (from, to) => {
    expect(compose).toContain(from)
    expect(schemaProblems(compose.replace(from, to))).not.toEqual([])
  })
})

describe('Laying Compose files over each other', () => {
  const base = `
x-note: left out
services:
  a:
    command: [one]
    environment: { A: '1', B: '1' }
    ports: ['127.0.0.1:1:1']
    volumes: ['x:/x', 'y:/y']
    healthcheck: { test: [CMD, a], retries: 3 }
`
  const over = `
services:
  a:
    command: [two, three]
    environment: { B: '2' }
    ports: ['127.0.0.1:1:1', '2:2']
    volumes: ['z:/y']
    healthcheck: { test: [CMD, b] }
  b: { image: b }
`
  it('merges mappings, appends sequences, and replaces commands and volumes of the same target', () => {
    expect(mergedCompose([base, over])).toEqual({
      services: {
        a: {
          command: ['two', 'three'],
          environment: { A: '1', B: '2' },
          ports: ['127.0.0.1:1:1', '2:2'],
          volumes: ['x:/x', 'z:/y'],
          healthcheck: { test: ['CMD', 'b'], retries: 3 },
        },
        b: { image: 'b' },
      },
    })
  })
  it('refuses tags that these rules leave out', () => {
    expect(() => parsedCompose('services: { a: { ports: !reset [] } }')).toThrow('!reset')
    expect(parsedCompose('a: "no !reset here" # nor !here')).toEqual({ a: 'no !reset here' })
  })
})

describe('The health check of the sandbox', () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder('sandbox-health')
  })
  afterAll(() => removeFolder(folder))

  it('asks a route that the sandbox has', async () => {
    const port = await freePort()
    const env = {
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: 'http://localhost:8080',
      SANDBOX_URL: 'http://localhost:8080/sandbox',
    }
    const child = spawn(process.execPath, [compiled('api/bin/sandbox.ts')], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    const [, path = ''] = /127\.0\.0\.1:3000(\/\w+)/.exec(compose) ?? []
    expect([path, await statusOf(path)]).toEqual(['/healthz', 200])
    expect(await statusOf('/health')).toBe(404)
    expect(await statusOf('/sandbox/style.css')).toBe(200)
    child.kill()
    await once(child, 'exit')
  })
})
