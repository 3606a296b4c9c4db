/**
 * `npm run size`, part of CI: bundles the web app in memory and fails when a screen has become too heavy. `npm run size
 * -- --list` prints the sizes of all screens and of larger lazy parts.
 */
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build } from 'vite'
import { isOver, linesOf, textOf } from './budget.ts'
import { firstLoad } from './first-load.ts'

const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))
// kB; lazy parts below this are many, and none of them will ever matter.
const minListed = 20

const built = await build({ configFile, logLevel: 'error', build: { write: false } })
const chunks = [built]
  .flat()
  .flatMap((each) => ('output' in each ? each.output : []))
  .filter((each) => each.type === 'chunk')
const sizes = new Map(
  await Promise.all(
    chunks.map(async ({ fileName, code }) => [fileName, (await promisify(gzip)(code)).length] as const),
  ),
)

const lines = linesOf(firstLoad(chunks), sizes)
const listed = process.argv.includes('--list') ? lines.filter(({ kB }) => kB >= minListed) : lines.filter(isOver)
for (const line of listed) console.log(textOf(line))
if (lines.some(isOver)) {
  console.error(
    'More JavaScript than the budget allows. Load what is not needed at first later (ui/later.tsx), or import less.',
  )
  process.exitCode = 1
}
