/**
 * `npm run soak`: the long loops one after another, with the seed and the command of each, so that one can be repeated.
 * Ends with 1 when one of them failed.
 */
import { execFileSync, spawnSync } from 'node:child_process'

/** A new seed for each soak: the same one would find the same faults. */
const seed = process.env['SEED'] ?? String(Math.floor(Date.now() / 1000))

const seeded = execFileSync('git', ['grep', '-l', "sample('", '--', '*.test.ts'], { encoding: 'utf8' }).trim()
/** Where ten times the size in CI is too much (the test of a rebuild lists 10,000 documents at most), or not enough. */
const sizes = 'CRASH_ROUNDS=250 DRAIN_POSTS=1000 PLANNER_RUNS=300 MODEL_STEPS=10000 REBUILD_ROWS=5000'
const loops = [
  'npx tsx api/testing/hostile/soak.ts',
  'KILL_ROUNDS=50 npx playwright test --config e2e e2e/kill.test.ts',
  'KILL_ROUNDS=100 npx playwright test --config e2e e2e/distributed/kill.test.ts',
  ...seeded.split('\n').map((file) => `SAMPLES=soak ${sizes} npx vitest run ${file}`),
]

const failed: string[] = []
for (const loop of loops) {
  const command = `SEED=${seed} ${loop}`
  console.log(`== ${command}`)
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' })
  if (status !== 0) failed.push(command)
}
for (const command of failed) console.error(`Failed: ${command}`)
process.exit(failed.length === 0 ? 0 : 1)
