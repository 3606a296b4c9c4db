/** An export for people's spreadsheets. */
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

/** Where a spreadsheet would begin a formula: in a cell, and in what is a cell where `;` or a tab separates columns. */
const formulaStart = /(?<=^|[;\t\r\n])[=+\-@]|^[\t\r\n]/g
const special = /[",\r\n]/

/**
 * Quoted by RFC 4180, with an apostrophe in front of what a spreadsheet would take for a formula (OWASP, CSV Injection).
 * That changes what people wrote: CSV is a presentation, and the export as JSON Lines is the evidence.
 */
function cell(text: string): string {
  const harmless = text.replaceAll(formulaStart, "'$&")
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
