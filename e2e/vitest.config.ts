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
    // Each file drives a browser and a server of its own: two cores hold one of them at a time.
    fileParallelism: false,
    ...reporters(),
  },
})
