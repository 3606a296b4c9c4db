import { defineConfig } from '@playwright/test'
import { inMemory } from '../domain/test/in-memory.ts'
import { launchOptions } from './chromium.ts'

const report = process.env['TEST_REPORT']
// The servers' folders and the browsers' profiles.
Object.assign(process.env, inMemory())

/** Tests that start processes, kill them, and wait for those that remain. One at a time: each takes a whole core. */
const killing = ['kill.test.ts', 'distributed/*.test.ts']

/** The browser tests, in the system's Chromium: each worker has a browser, each file a server. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'killing', testMatch: killing, workers: 1 },
    { name: 'screens', testMatch: '**/*.test.ts', testIgnore: killing, workers: 2 },
  ],
  globalSetup: '../api/testing/all-logs.ts',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  outputDir: '../node_modules/.cache/browser-tests',
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['dot'], ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
  use: {
    screenshot: 'only-on-failure',
    // Recording takes a third of the processor time: `.ci/run` sets this where it repeats what failed.
    trace: process.env['BROWSER_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    launchOptions,
  },
})
