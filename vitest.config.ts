import { defineConfig } from 'vitest/config'
import { reporters } from './e2e/reporters.ts'

export default defineConfig({
  test: {
    include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    globalSetup: 'api/testing/all-logs.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    ...reporters(),
  },
})
