import { defineConfig } from 'vitest/config'
import { inMemory } from './domain/test/in-memory.ts'
import { isOnServers } from './domain/test/patience.ts'
import { commonPasswords } from './api/features/auth/common-passwords.ts'
import { commonPasswordsModule } from './web/build/common-passwords.ts'

/**
 * Attacks, faults, and what needs many processes or much waiting: `npm run test:long` and `npm run test:hostile`, part
 * of `npm run test:all` and of CI, but not of `npm test`.
 */
const longTests = [
  'api/testing/{expressions,faults}/**/*.test.ts',
  'api/testing/fuzz/allowed.test.ts',
  'api/testing/secret-scan.test.ts',
  'api/testing/listed-expressions.test.ts',
  'api/http/{compressed,outgoing}.test.ts',
  'api/composition/{bounds-walk,compose,compose-rules,earlier-data-folder,kubernetes}.test.ts',
  'domain/event-store/eventstoredb{,-election,-secured,-silent}.test.ts',
  'projections/read-store/walk.test.ts',
  'projections/read-store/test/mongodb-stand-in.test.ts',
  'api/operations/backup/{command-line,daily,making}.test.ts',
  'api/bin/commands/projections-killed.test.ts',
  'api/bin/{command,commands/secrets,version,demo/*}.test.ts',
  'api/processes/{letter-sender/killed,publisher/drain,publisher/time}.test.ts',
  'api/testing/namespaced-event-store.test.ts',
  '{domain/core,api/features/writer}/long-texts.test.ts',
  'api/features/posts/import/large-files.test.ts',
]

/** Server tests share a worker's modules: loading them anew for each file takes longer than the tests. */
const server = {
  name: 'server',
  include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.ts'],
  exclude: longTests,
  globalSetup: ['api/testing/all-logs.ts', 'api/testing/named-servers.ts'],
  isolate: false,
}
/**
 * A backup is copied by a process of low priority, and some tests make five: where other programs keep the processors
 * busy, that takes longer than other tests may.
 */
const long = { ...server, name: 'long', include: longTests, exclude: [], testTimeout: 120_000 }
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

/** Tests report to the terminal and, where `.ci/run` counts them, to a file. */
const report = process.env['TEST_REPORT']
const reporters =
  report === undefined ? { reporters: ['default'] } : { reporters: ['default', 'json'], outputFile: { json: report } }

export default defineConfig({
  plugins: [commonPasswordsModule(commonPasswords)],
  test: {
    maxWorkers: 2,
    // Keeps compiled modules between runs, by their content: the next run, and each part of `.ci/run`, compiles only
    // what changed.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    env: inMemory(),
    // A test on named servers takes as long as they take.
    testTimeout: isOnServers ? 180_000 : 30_000,
    hookTimeout: isOnServers ? 180_000 : 60_000,
    projects: [
      { extends: true, test: server },
      { extends: true, test: components },
      { extends: true, test: long },
    ],
    ...reporters,
  },
})
