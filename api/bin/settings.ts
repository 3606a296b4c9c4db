/** `npm run settings`: writes .env.example and docs/configuration.md. */
import { writeFileSync } from 'node:fs'
import { configurationPage, environmentExample } from '../runtime/setting-docs.ts'

writeFileSync('.env.example', environmentExample())
writeFileSync('docs/configuration.md', configurationPage())
