import { defineConfig } from '@playwright/test'
import { inMemory } from '../domain/test/in-memory.ts'
import { launchOptions } from './chromium.ts'

const report = process.env['TEST_REPORT']
// The servers' folders and the browsers' profiles.
Object.assign(process.env, inMemory())

/** The browser tests, in the system's Chromium: each of the two workers has a browser, each file a server. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
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
