import { defineConfig } from 'vitest/config'
import { commonPasswords } from './api/features/auth/common-passwords.ts'
import { reporters } from './e2e/reporters.ts'
import { commonPasswordsModule } from './web/build/common-passwords.ts'

/** Server tests share a worker's modules: loading them anew for each file takes longer than the tests. */
const server = {
  name: 'server',
  include: ['{domain,projections,api}/**/*.test.ts', 'web/**/*.test.ts'],
  globalSetup: 'api/testing/all-logs.ts',
  isolate: false,
}
/** Component tests replace the browser's globals, so each file has a worker of its own. */
const components = { name: 'components', include: ['web/**/*.test.tsx'] }

export default defineConfig({
  plugins: [commonPasswordsModule(commonPasswords)],
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: server },
      { extends: true, test: components },
    ],
    ...reporters(),
  },
})
