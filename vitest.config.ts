import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { commonPasswords } from './api/features/auth/common-passwords.ts'
import { commonPasswordsModule } from './web/build/common-passwords.ts'

/**
 * Attacks, faults, and what needs many processes or much waiting: `npm run test:long`, part of `npm run test:all` and
 * of CI, but not of `npm test`.
 */
const longTests = [
  'api/testing/{expressions,faults}/**/*.test.ts',
  'api/testing/secret-scan.test.ts',
  'api/composition/bounds-walk.test.ts',
  'api/operations/backup/{command-line,daily,making}.test.ts',
  'api/bin/demo/*.test.ts',
  'api/processes/publisher/time.test.ts',
  'api/testing/namespaced-event-store.test.ts',
  '{domain/core,api/features/writer}/long-texts.test.ts',
  'api/features/posts/import/large-files.test.ts',
]

/** Server tests share a worker's modules: loading them anew for each file takes longer than the tests. */
const server = {
  name: 'server',
  include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.ts'],
  exclude: longTests,
  globalSetup: 'api/testing/all-logs.ts',
  isolate: false,
}
const long = { ...server, name: 'long', include: longTests, exclude: [] }
/** Component tests share a worker's modules and page too: `setup.ts` empties the page after each test. */
const components = {
  name: 'components',
  include: ['web/**/*.test.tsx'],
  environment: 'jsdom',
  setupFiles: 'web/test/setup.ts',
  isolate: false,
  // After the server tests: a worker starts anew where the next file is of another project.
  sequence: { groupOrder: 1 },
}

/**
 * Temporary folders in memory where there is room for them: a write then waits for no disk. Tests of full and failing
 * disks mount their own.
 */
const inMemory = '/dev/shm'
const minFreeBytes = 4e9
function temporaryFolder(): Readonly<Record<string, string>> {
  if (!existsSync(inMemory)) return {}
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize < minFreeBytes ? {} : { TMPDIR: inMemory }
}

/** Tests report to the terminal and, where `.ci/run` counts them, to a file. */
const report = process.env['TEST_REPORT']
const reporters =
  report === undefined ? { reporters: ['default'] } : { reporters: ['default', 'json'], outputFile: { json: report } }

export default defineConfig({
  plugins: [commonPasswordsModule(commonPasswords)],
  test: {
    maxWorkers: 2,
    env: temporaryFolder(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: server },
      { extends: true, test: components },
      { extends: true, test: long },
    ],
    ...reporters,
  },
})
