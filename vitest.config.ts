import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
