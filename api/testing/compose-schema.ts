/**
 * The Compose specification's own JSON schema, from the package `dclint` 3.1.0 (MIT), which has a copy of
 * https://github.com/compose-spec/compose-spec/blob/main/schema/compose-spec.json.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { parsedCompose } from './compose-merge.ts'

const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'))
const schema = JSON.parse(readFileSync(join(folder, 'schemas', 'compose.schema.json'), 'utf8')) as object

// The schema names draft 7 by an address that Ajv doesn't know, and formats of durations, which Compose defines itself.
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false })
const validate = ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' })

/** Violations of the schema, one sentence each. @param text one file: an overlay has to be valid by itself too */
export function schemaProblems(text: string): string[] {
  if (validate(parsedCompose(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}
