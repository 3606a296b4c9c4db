/** @module-tag long */
import { z } from 'zod'
import { openApi } from '../../http/openapi.ts'
import { checkEach } from './suite.ts'

/** The patterns of the contract: its own and those of zod's formats, as the document shows them. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : []
  return [...own, ...Object.values(value).flatMap(patternsIn)]
}

checkEach([...[...new Set(patternsIn(openApi('1.0.0')))].map((pattern) => new RegExp(pattern, 'u')), z.regexes.email])
