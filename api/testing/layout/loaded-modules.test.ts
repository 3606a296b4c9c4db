/** A process of the distributed shape loads the modules of its role alone: they take seconds on a slow machine. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadedWith } from './imports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const among = (names: readonly string[], ...entries: readonly string[]) => {
  const loaded = new Set(entries.flatMap((entry) => [...loadedWith(root, entry)]))
  return names.filter((name) => loaded.has(name))
}

const roles = ['api/composition/assemble.ts', 'api/composition/serve-api.ts', 'api/composition/work.ts']
const onlyIfSetUp = ['openai', 'stripe', 'nodemailer', 'sharp']
const start = 'api/bin/process.ts'

describe('Before its role, a process', () => {
  it('loads the clients of its stores', () => {
    const needed = ['@eventstore/db-client', 'mongodb', 'express']
    expect(among(needed, start)).toEqual(needed)
  })

  it('loads no module of a role, nor of a service that may not be set up', () => {
    expect(among([...roles, 'api/runtime/projector/projector.ts', ...onlyIfSetUp], start)).toEqual([])
  })
})

describe('With its role', () => {
  it('a projector loads nothing of the others', () => {
    expect(among([...roles, ...onlyIfSetUp], start, 'api/runtime/projector/projector.ts')).toEqual([])
  })

  it('a worker loads no routes', () => {
    expect(among(['api/composition/serve-api.ts'], start, ...roles.filter((name) => !name.includes('serve')))).toEqual(
      [],
    )
  })

  it('an API and a worker load no service that may not be set up', () => {
    expect(among(onlyIfSetUp, start, ...roles)).toEqual([])
  })
})
