/** `npm run bounds`: writes docs/bounds.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { boundsTable } from '../composition/bounds-table.ts'

mkdirSync('docs', { recursive: true })
writeFileSync('docs/bounds.md', boundsTable())
