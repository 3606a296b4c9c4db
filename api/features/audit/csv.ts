/** The CSV export, for spreadsheets. */
import { stringify } from 'csv-stringify/sync'
import type { StoredEvent } from '../../../domain/core/event.ts'

export const csvHeader = [
  'at',
  'stream',
  'revision',
  'event',
  'client',
  'actor',
  'actor id',
  'data',
  'hash',
  'previous hash',
] as const

export const csvRow = ({ stream, revision, name, data, metadata }: StoredEvent): readonly string[] => [
  metadata.at,
  stream,
  String(revision),
  name,
  metadata.clientId ?? '',
  metadata.actor.type,
  metadata.actor.id,
  JSON.stringify(data),
  metadata.hash,
  metadata.prevHash ?? '',
]

export const csvLine = (cells: readonly string[]): string =>
  stringify([[...cells]], { record_delimiter: '\r\n', cast: { string: withoutFormula }, quoted_match: /[\r\n]/ })

/** The places where a spreadsheet would start a formula: a cell's start, also where `;` or a tab separates columns. */
const formulaStart = /(?<=^|[;\t\r\n])[=+\-@]|^[\t\r\n]/g

/**
 * Puts an apostrophe before what a spreadsheet would take for a formula (OWASP, CSV Injection). The library's own
 * `escape_formulas` looks at a cell's first character only. This alters the text: CSV is a presentation, and the JSON
 * Lines export is the evidence.
 */
const withoutFormula = (text: string): string => text.replaceAll(formulaStart, "'$&")
