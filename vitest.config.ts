import { configDefaults, defineConfig } from 'vitest/config'
import { inMemory } from './domain/test/in-memory.ts'
import { isOnServers, patience } from './domain/test/patience.ts'
import { isSeedGiven, soakFactor } from './domain/test/sample.ts'
import { commonPasswordsModule } from './web/build/common-passwords.ts'

/** A test on named servers takes as long as they take, and a larger sample longer. */
const limitMs = (alone: number) => soakFactor * (isOnServers ? 180_000 : alone)

/**
 * `npm test` leaves out the tests of screens and what is tagged `long` or `hostile`: a file by `@module-tag`, a test by
 * its options. CI runs all tests, and a run of single files all of theirs.
 */
const tags = [
  {
    name: 'long',
    description: 'Takes more than 0.25 s on a slow machine: attacks, faults, processes, loops, long lists.',
    // A backup is copied by a process of low priority, and some tests make five: where other programs keep the
    // processors busy, that takes longer than other tests may.
    timeout: limitMs(120_000),
  },
  {
    name: 'sampled',
    description: 'Runs a small sample in `npm test`, and a larger one in `npm run test:long`.',
    timeout: limitMs(120_000),
  },
  { name: 'hostile', description: 'Judges latencies, so it runs by itself: `npm run test:hostile`.', timeout: 120_000 },
]

/** Files that judge the time of single functions: all of them are tagged `long`. */
const timedFiles = ['api/testing/expressions/*.test.ts', '{domain,api}/**/long-texts.test.ts']

/** Server tests share a worker's modules: loading them anew for each file takes longer than the tests. */
const server = {
  name: 'server',
  include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.ts'],
  exclude: [...configDefaults.exclude, ...timedFiles],
  globalSetup: ['api/testing/all-logs.ts', 'api/testing/named-servers.ts'],
  setupFiles: isSeedGiven ? ['domain/test/seed.setup.ts'] : [],
  isolate: false,
}
/**
 * Each in a process of its own, after the others: in one that had run hundreds of files, an expression that takes 27 ms
 * was measured with 127 ms, eight times in a row.
 */
const timed = {
  name: 'timed',
  include: timedFiles,
  setupFiles: server.setupFiles,
  isolate: true,
  sequence: { groupOrder: 1 },
}
/** Component tests share a worker's modules and page too: `setup.ts` empties the page after each test. */
const components = {
  name: 'components',
  include: ['web/**/*.test.tsx'],
  environment: 'jsdom',
  setupFiles: 'web/test/setup.ts',
  isolate: false,
  // After the server tests: a worker starts anew where the next file is of another project.
  sequence: { groupOrder: 2 },
}

/** Tests report to the terminal and, where `.ci/run` counts them, to files. */
const report = process.env['TEST_REPORT']
const reporters =
  report === undefined
    ? { reporters: ['default'] }
    : { reporters: ['default', 'json', './.ci/errors-reporter.mjs'], outputFile: { json: report } }

export default defineConfig({
  plugins: [commonPasswordsModule(`${import.meta.dirname}/api/features/auth/common-passwords.ts`)],
  test: {
    maxWorkers: 2,
    tags,
    // Keeps compiled modules between runs, by their content: the next run, and each part of `.ci/run`, compiles only
    // what changed.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    env: inMemory(),
    expect: { poll: patience },
    // Files share a worker: what a failed test mocked must not reach the next one.
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: limitMs(30_000),
    hookTimeout: limitMs(60_000),
    projects: [
      { extends: true, test: server },
      { extends: true, test: timed },
      { extends: true, test: components },
    ],
    ...reporters,
  },
})
