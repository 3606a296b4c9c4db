/**
 * `npm start`, `npm run demo`, `npm run projections`, `npm run tokens`, `npm run billing`, `npm run move`, `npm run
 * audit`, `npm run backup`, `npm run restore`, `npm run secrets`, `npm run users`, `npm run mail`: builds outdated
 * parts, then runs the program in this process. With `--version` it prints the version and does nothing else.
 */
import { readFileSync } from 'node:fs'
import { build } from './build.mjs'

const programs = [
  'start',
  'demo',
  'projections',
  'tokens',
  'billing',
  'move',
  'audit',
  'backup',
  'restore',
  'secrets',
  'users',
  'mail',
]

if (process.argv.includes('--version', 2)) {
  console.log(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version)
  process.exit(0)
}
const [, , name = 'start', ...rest] = process.argv
if (!programs.includes(name)) {
  console.error(`There is no program named ${name}. Choose one of: ${programs.join(', ')}`)
  process.exit(2)
}
try {
  await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
const files = { start: 'start', demo: 'demo/main' }
process.argv.splice(2, process.argv.length, ...(name in files ? rest : [name, ...rest]))
await import(`../../dist/api/bin/${files[name] ?? 'command'}.js`)
