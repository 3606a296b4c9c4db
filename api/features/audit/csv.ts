/** The CSV export, for spreadsheets. */
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

export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** The places where a spreadsheet would start a formula: a cell's start, also where `;` or a tab separates columns. */
const formulaStart = /(?<=^|[;\t\r\n])[=+\-@]|^[\t\r\n]/g
const special = /[",\r\n]/

/**
 * Quotes a cell by RFC 4180 and puts an apostrophe before what a spreadsheet would take for a formula (OWASP, CSV
 * Injection). This alters the text: CSV is a presentation, and the JSON Lines export is the evidence.
 */
function cell(text: string): string {
  const harmless = text.replaceAll(formulaStart, "'$&")
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
