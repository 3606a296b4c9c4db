/** `npm start`, `npm run demo`, `npm run projections`, `npm run tokens`, `npm run billing`, `npm run move`, `npm run audit`, `npm run backup`, `npm run restore`: builds what is not built, then runs it in this process. */
import { build } from './build.mjs'

const programs = {
  start: '../dist/api/start.js',
  demo: '../dist/api/demo/main.js',
  projections: '../dist/projections/cli.js',
  tokens: '../dist/api/networks/cli.js',
  billing: '../dist/api/billing/cli.js',
  move: '../dist/api/move/cli.js',
  audit: '../dist/api/audit/cli.js',
  backup: '../dist/api/backup/cli.js',
  restore: '../dist/api/backup/restore-cli.js',
}

const [, , name = 'start', ...rest] = process.argv
const program = programs[name]
if (program === undefined) {
  console.error(`There is no program named ${name}. Choose one of: ${Object.keys(programs).join(', ')}`)
  process.exit(2)
}
try {
  await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
process.argv.splice(2, process.argv.length, ...rest)
await import(program)
