/** Reads a CSV file of posts as people's spreadsheets write it. */
import { CsvError, parse } from 'csv-parse/sync'
import { mostImportRows } from '../../contract/import.ts'
import { Problem } from '../../http/problem.ts'

/** One row as it stands in the file, trimmed; '' where a column is missing. */
export interface Row {
  readonly line: number
  /** It has more fields than the first line names: its text was taken apart at a comma. */
  readonly hasMore: boolean
  readonly content: string
  readonly platform: string
  readonly account: string
  readonly date: string
  readonly time: string
  readonly image: string
}

type Column = Exclude<keyof Row, 'line' | 'hasMore'>

/** The names that other tools give these columns, lower case, without spaces and underscores. */
const names: Readonly<Record<Column, readonly string[]>> = {
  content: ['content', 'text', 'post', 'caption', 'message'],
  platform: ['platform', 'network', 'channel'],
  account: ['account', 'accountname', 'socialaccount', 'profile', 'page'],
  date: ['date', 'day', 'scheduledfor', 'publishdate'],
  time: ['time', 'publishtime'],
  image: ['image', 'imageurl', 'picture', 'photo'],
}
const columns = Object.keys(names) as Column[]
const delimiters = [',', ';', '\t'] as const

const refused = (sentence: string) => new Problem(400, 'invalid', sentence)

/** @throws Problem (400) for what is no list of posts at all */
export function readRows(bytes: Uint8Array): readonly Row[] {
  const text = textOf(bytes)
  const [header, ...rows] = recordsOf(text)
  if (!header || rows.length === 0) throw refused('There are no posts in this file. The first line names the columns, each further line is a post.')
  const places = placesOf(header.record)
  if (rows.length > mostImportRows) throw refused(`There are ${rows.length.toLocaleString('en-US')} posts in this file. At most ${mostImportRows.toLocaleString('en-US')} can be imported at once: split it.`)
  const width = header.record.length
  return rows.map(({ record, line }) => {
    const field = (column: Column) => record[places[column] ?? -1]?.trim() ?? ''
    const hasMore = record.slice(width).some((cell) => cell.trim() !== '')
    return { line, hasMore, content: field('content'), platform: field('platform'), account: field('account'), date: field('date'), time: field('time'), image: field('image') }
  })
}

/** As spreadsheets save it: UTF-8, UTF-16 with its mark or, where it is neither, Windows' western letters. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

interface Placed {
  readonly record: readonly string[]
  readonly line: number
}

/** What some spreadsheets say ahead of the first line. */
const declared = /^\uFEFF?sep=(.)\r?\n/i

function recordsOf(text: string): readonly Placed[] {
  const [declaration = '', separator] = declared.exec(text) ?? []
  const firstLine = text.slice(declaration.length).split(/\r\n|\n|\r/).find((line) => line.trim() !== '') ?? ''
  // What separates the columns differs by country; the first line shows it.
  const [counted = ','] = delimiters.toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)
  let lines = 0
  try {
    const found = parse(text.slice(declaration.length), {
      bom: true,
      delimiter: separator ?? counted,
      info: true,
      relaxColumnCount: true,
      // A quotation mark in the middle of a text is a quotation mark.
      relaxQuotes: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
    }) as unknown as readonly { readonly record: string[]; readonly info: { readonly lines: number } }[]
    const before = declaration === '' ? 0 : 1
    return found.map(({ record, info }) => {
      const line = lines + 1 + before
      lines = info.lines
      return { record, line }
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw refused(`This file can't be read as CSV: ${sentenceOf(error)}`)
  }
}

const sentenceOf = ({ code, lines }: CsvError & { readonly lines?: number }) =>
  code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'a quotation mark is opened and never closed.'
    : `something is wrong with the quotation marks${lines === undefined ? '' : ` near line ${lines}`}.`

function placesOf(header: readonly string[]): Readonly<Partial<Record<Column, number>>> {
  const given = header.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const places: Partial<Record<Column, number>> = {}
  for (const column of columns) {
    const place = given.findIndex((name) => names[column].includes(name))
    if (place >= 0) places[column] = place
  }
  if (places.content === undefined) throw refused('The first line must name the columns, and none is called “content”.')
  if (places.platform === undefined && places.account === undefined) throw refused('The first line must have a column “platform” or “account”, so that each post finds its place.')
  return places
}
