/** Reads a CSV file of posts as spreadsheets write it. */
import {
  importColumns as columns,
  maxImportColumns as maxColumns,
  maxImportRows,
  type ImportColumn as Column,
  type ImportHeader,
  type ImportPlaces,
} from '../../../contract/import.ts'
import { Problem } from '../../../http/problem.ts'
import { readRecords } from './records.ts'

/** One row of the file, trimmed; '' for a missing column. */
export interface Row {
  readonly line: number
  /** The row has more fields than the header: its text was split at a comma. */
  readonly hasMore: boolean
  readonly content: string
  readonly platform: string
  readonly account: string
  readonly date: string
  readonly time: string
  readonly image: string
}

/** Other tools' names for these columns, in lower case, without spaces and underscores. */
const names: Readonly<Record<Column, readonly string[]>> = {
  content: ['content', 'text', 'post', 'caption', 'message'],
  platform: ['platform', 'network', 'channel'],
  account: ['account', 'accountname', 'socialaccount', 'profile', 'page'],
  date: ['date', 'day', 'scheduledfor', 'publishdate'],
  time: ['time', 'publishtime'],
  image: ['image', 'imageurl', 'picture', 'photo'],
}

const nothing = 'There are no posts in this file. The first line names the columns, each further line is a post.'
const refused = (sentence: string) => new Problem(400, 'invalid', sentence)

/**
 * The posts of a file, at most 1,000. Reading stops at the row after them. @param chosen which column is which; else
 * their names say it @throws Problem 400 for a file without a list of posts
 */
export async function readRows(bytes: Uint8Array, chosen?: ImportPlaces): Promise<readonly Row[]> {
  const [header, ...rows] = await readRecords(bytes, 1 + maxImportRows + 1)
  if (!header || rows.length === 0) throw refused(nothing)
  const width = widthOf(header.fields)
  const places = withNeeded(chosen ?? placesOf(header.fields))
  if (rows.length > maxImportRows) {
    const limit = maxImportRows.toLocaleString('en-US')
    throw refused(
      `There are more than ${limit} posts in this file. At most ${limit} can be imported at once: split it.`,
    )
  }
  return rows.map(({ fields, line }) => {
    const field = (column: Column) => fields[places[column] ?? -1]?.trim() ?? ''
    const hasMore = fields.length > maxColumns || fields.slice(width).some((cell) => cell.trim() !== '')
    return {
      line,
      hasMore,
      content: field('content'),
      platform: field('platform'),
      account: field('account'),
      date: field('date'),
      time: field('time'),
      image: field('image'),
    }
  })
}

function widthOf({ length }: readonly string[]): number {
  if (length > maxColumns) throw refused(`The first line names more than ${maxColumns} columns.`)
  return length
}

/** The limit on characters of a name, and of an example. */
const maxShown = 60
function shown(text = ''): string {
  const whole = text.trim()
  if (whole.length <= maxShown) return whole.toWellFormed()
  return `${whole
    .slice(0, maxShown - 1)
    .trimEnd()
    .toWellFormed()}…`
}

/** The names of the columns, and which is which by name. @throws Problem 400 for a file without posts */
export async function readHeader(bytes: Uint8Array): Promise<ImportHeader> {
  const [header, first] = await readRecords(bytes, 2)
  if (!header || !first) throw refused(nothing)
  widthOf(header.fields)
  const places = placesOf(header.fields)
  return {
    header: header.fields.map((name, at) => ({ name: shown(name), example: shown(first.fields[at]) })),
    columns: {
      content: places.content ?? null,
      platform: places.platform ?? null,
      account: places.account ?? null,
      date: places.date ?? null,
      time: places.time ?? null,
      image: places.image ?? null,
    },
  }
}

function placesOf(header: readonly string[]): ImportPlaces {
  const given = header.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const places: Partial<Record<Column, number>> = {}
  for (const column of columns) {
    const place = given.findIndex((name) => names[column].includes(name))
    if (place >= 0) places[column] = place
  }
  return places
}

function withNeeded(places: ImportPlaces): ImportPlaces {
  if (places.content === undefined) throw refused('The first line must name the columns, and none is called “content”.')
  if (places.platform === undefined && places.account === undefined)
    throw refused('The first line must have a column “platform” or “account”, so that each post finds its place.')
  return places
}
