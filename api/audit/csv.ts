/** An export for people's spreadsheets. */
import type { StoredEvent } from '../../domain/core/event.ts'

export const csvHeader = ['at', 'stream', 'revision', 'event', 'client', 'actor', 'actor id', 'data', 'hash', 'previous hash'] as const

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

/** Quoted by RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
