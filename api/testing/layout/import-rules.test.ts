/** The linter refuses a forbidden direction and a forbidden driver in each folder: shown on files made for it. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { rooms } from './imports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const rule = 'no-restricted-imports'

/** A file's folder, and an import that it must not have. */
const forbidden: readonly (readonly [folder: string, specifier: string])[] = [
  ['domain/core', '../post/decider.ts'],
  ['domain/core', 'mongodb'],
  ['domain/agency', '../post/decider.ts'],
  ['domain/audit', '../../api/core/clock.ts'],
  ['domain/audit', '../post/decider.ts'],
  ['domain/audit', 'mongodb'],
  ['domain/auditor-link', '../client/decider.ts'],
  ['domain/client', '../../projections/registry.ts'],
  ['domain/post', 'express'],
  ['domain/event-store', '../../projections/registry.ts'],
  ['domain/event-store', 'mongodb'],
  ['projections', '../api/core/clock.ts'],
  ['projections', 'mongodb'],
  ['projections/core', '../../api/core/clock.ts'],
  ['projections/core', 'libsql'],
  ['projections/posts', '../../domain/post/decider.ts'],
  ['projections/posts', 'libsql'],
  ['projections/read-store', '../posts/view.ts'],
  ['projections/read-store', 'express'],
  ['web/lib', '../../domain/post/decider.ts'],
  ['web/lib', 'mongodb'],
  ['web/lib', '../features/landing/Landing.tsx'],
  ['web/ui', '../features/landing/Landing.tsx'],
  ['web/ui', '../app/Shell.tsx'],
  ['web/ui', 'express'],
  ['web/features/landing', '../../../domain/post/decider.ts'],
  ...rooms
    .slice(0, -1)
    .flatMap((room, index) => [
      [`api/${room}`, `../${rooms[index + 1]}/probe.ts`] as const,
      [`api/${room}/nested`, `../../${rooms.at(-1)}/probe.ts`] as const,
      [`api/${room}`, 'libsql'] as const,
      [`api/${room}`, '@eventstore/db-client'] as const,
      [`api/${room}`, '../../web/lib/probe.ts'] as const,
    ]),
  ['api/bin', '../testing/probe.ts'],
  ['api/bin', '../../web/lib/probe.ts'],
]

/** Allowed: a rule that refuses everything would pass the cases above. */
const allowed: readonly (readonly [folder: string, specifier: string])[] = [
  ['api/http', '../core/clock.ts'],
  ['api/features/posts', '../history/past.ts'],
  ['api/processes/planner', '../../features/posts/free-slot.ts'],
  ['api/bin', '../../domain/event-store/embedded.ts'],
  ['domain/post', '../core/decider.ts'],
  ['domain/audit', '../event-store/chain.ts'],
  ['web/features/landing', '../../ui/Button.tsx'],
  ['web/ui', '../lib/call.ts'],
  ['web/lib', '../../api/contract/index.ts'],
  ['web/test', '../../domain/post/state-table.ts'],
]

let folder: string
let refused: ReadonlySet<string>

const fileOf = (place: string, index: number) => `${place}/probe-${index}.ts`

beforeAll(async () => {
  folder = await temporaryFolder('import-rules')
  await copyFile(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const [index, [place, specifier]] of [...forbidden, ...allowed].entries()) {
    const file = join(folder, fileOf(place, index))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `import { probe } from '${specifier}'\nprobe()\n`)
  }
  const output = await new Promise<string>((resolve) =>
    execFile(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], { cwd: folder }, (_, text) => resolve(text)),
  )
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] }
  refused = new Set(diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename))
}, 60_000)
afterAll(() => removeFolder(folder))

describe('The linter', () => {
  it.each(forbidden.map(([place, specifier], index) => [place, specifier, index] as const))(
    'refuses, in %s, an import of %s',
    (place, _, index) => expect(refused).toContain(fileOf(place, index)),
  )
  it.each(allowed.map(([place, specifier], index) => [place, specifier, forbidden.length + index] as const))(
    'allows, in %s, an import of %s',
    (place, _, index) => expect(refused).not.toContain(fileOf(place, index)),
  )
})
