import { defineConfig } from 'vitest/config'
import { reporters } from './reporters.ts'

export default defineConfig({
  test: {
    root: '.',
    include: ['e2e/**/*.test.ts'],
    exclude: ['e2e/**/*.soak.test.ts'],
    globalSetup: 'api/testing/all-logs.ts',
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // Each file starts its own browser and server: two cores can run only one file at a time.
    fileParallelism: false,
    ...reporters(),
  },
})
