import { defineConfig } from 'vitest/config'
import { commonPasswords } from './api/features/auth/common-passwords.ts'
import { reporters } from './e2e/reporters.ts'
import { commonPasswordsModule } from './web/build/common-passwords.ts'

export default defineConfig({
  plugins: [commonPasswordsModule(commonPasswords)],
  test: {
    include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    globalSetup: 'api/testing/all-logs.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    ...reporters(),
  },
})
