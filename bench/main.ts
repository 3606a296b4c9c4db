/** `npm run bench [name…]`: every benchmark, or those that are named. Run by hand, on a quiet machine. */
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { appends } from './appends.ts'
import { audit } from './audit.ts'
import { coldStart } from './cold-start.ts'
import { commands } from './commands.ts'
import { distributed } from './distributed.ts'
import { firstPaint } from './first-paint.ts'
import { importing } from './import.ts'
import { installation } from './installation.ts'
import { largeAnswers } from './large-answers.ts'
import { memory } from './memory.ts'
import { publish } from './publish.ts'
import { rebuild } from './rebuild.ts'
import { rebuildLive } from './rebuild-live.ts'
import { reads } from './reads.ts'
import { scale } from './scale.ts'
import { signIn } from './sign-in.ts'
import { tasks } from './tasks.ts'

const benches = {
  appends,
  rebuild,
  'rebuild-live': rebuildLive,
  reads,
  commands,
  publish,
  import: importing,
  audit,
  'sign-in': signIn,
  'cold-start': coldStart,
  'large-answers': largeAnswers,
  scale,
  installation,
  memory,
  distributed,
  'first-paint': firstPaint,
  tasks,
} as const

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(', ')}. Choose from: ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
if (!existsSync('dist/api/bin/start.js')) {
  console.error('Some benchmarks start the built server: run npm run build first')
  process.exit(2)
}
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`)
for (const [name, run] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await run()
