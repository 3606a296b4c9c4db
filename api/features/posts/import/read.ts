/** Reads a CSV file of posts as spreadsheets write it. */
import { maxImportRows } from '../../../contract/import.ts'
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

type Column = Exclude<keyof Row, 'line' | 'hasMore'>

/** Other tools' names for these columns, in lower case, without spaces and underscores. */
const names: Readonly<Record<Column, readonly string[]>> = {
  content: ['content', 'text', 'post', 'caption', 'message'],
  platform: ['platform', 'network', 'channel'],
  account: ['account', 'accountname', 'socialaccount', 'profile', 'page'],
  date: ['date', 'day', 'scheduledfor', 'publishdate'],
  time: ['time', 'publishtime'],
  image: ['image', 'imageurl', 'picture', 'photo'],
}
const columns = Object.keys(names) as Column[]

/** The limit on columns of the header; further fields of any record are ignored. */
const maxColumns = 100

const refused = (sentence: string) => new Problem(400, 'invalid', sentence)

/**
 * The posts of a file, at most 1,000. Reading stops at the row after them. @throws Problem 400 for a file without a
 * list of posts
 */
export async function readRows(bytes: Uint8Array): Promise<readonly Row[]> {
  const [header, ...rows] = await readRecords(bytes, 1 + maxImportRows + 1)
  if (!header || rows.length === 0)
    throw refused('There are no posts in this file. The first line names the columns, each further line is a post.')
  const width = header.fields.length
  if (width > maxColumns) throw refused(`The first line names more than ${maxColumns} columns.`)
  const places = placesOf(header.fields)
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

function placesOf(header: readonly string[]): Readonly<Partial<Record<Column, number>>> {
  const given = header.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const places: Partial<Record<Column, number>> = {}
  for (const column of columns) {
    const place = given.findIndex((name) => names[column].includes(name))
    if (place >= 0) places[column] = place
  }
  if (places.content === undefined) throw refused('The first line must name the columns, and none is called “content”.')
  if (places.platform === undefined && places.account === undefined)
    throw refused('The first line must have a column “platform” or “account”, so that each post finds its place.')
  return places
}
