/** Reads a CSV file of posts as people's spreadsheets write it. */
import { CsvError, parse } from 'csv-parse/sync'
import { mostImportRows } from '../../contract/import.ts'
import { Problem } from '../../http/problem.ts'

/** One row as it stands in the file, trimmed; '' where a column is missing. */
export interface Row {
  readonly line: number
  readonly content: string
  readonly platform: string
  readonly account: string
  readonly date: string
  readonly time: string
  readonly image: string
}

type Column = Exclude<keyof Row, 'line'>

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
  return rows.map(({ record, line }) => {
    const field = (column: Column) => record[places[column] ?? -1]?.trim() ?? ''
    return { line, content: field('content'), platform: field('platform'), account: field('account'), date: field('date'), time: field('time'), image: field('image') }
  })
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused("The letters in this file can't be read. Save it as “CSV UTF-8”, then try again.")
  }
}

interface Placed {
  readonly record: readonly string[]
  readonly line: number
}

function recordsOf(text: string): readonly Placed[] {
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  // What separates the columns differs by country; the first line shows it.
  const [delimiter = ','] = delimiters.toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)
  let lines = 0
  try {
    const found = parse(text, { delimiter, info: true, relaxColumnCount: true, skipEmptyLines: true, skipRecordsWithEmptyValues: true }) as unknown as readonly {
      readonly record: string[]
      readonly info: { readonly lines: number }
    }[]
    return found.map(({ record, info }) => {
      const line = lines + 1
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
