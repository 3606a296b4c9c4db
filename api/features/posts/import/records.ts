/** Parses a CSV file in slices, so that other requests are answered in between. */
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { yieldToEventLoop } from '../../../../domain/event-store/yield-to-event-loop.ts'
import { Problem } from '../../../http/problem.ts'

/** One record of the file, as written. */
export interface CsvRecord {
  readonly fields: readonly string[]
  /** The line of the file where the record begins, from 1. */
  readonly line: number
}

/**
 * Small, because csv-parse creates an error with a stack for each record whose length differs from the first one's: 250
 * of them take 12 ms.
 */
const sliceBytes = 512
/** What is decoded at once. */
const pieceBytes = 256 * 1024
/** The limit on fields per record: csv-parse copies a record whose length differs from the first one's. */
const maxFields = 1_000
/** The limit on empty records. */
const maxEmpty = 10_000
const delimiters = [',', ';', '\t'] as const

/** A line that some spreadsheets write before the header. */
export const separatorLine = /^\uFEFF?sep=(.)\r?\n/i
const lineEnd = /[\r\n]/
/** Characters of the header that are searched for the separator. */
const maxHeaderLength = 10_000

const refused = (sentence: string) => new Problem(400, 'invalid', sentence)

/**
 * Parses a file's records in order, without empty ones, up to `maxRecords`. Yields to the event loop after each 512
 * bytes. @throws Problem 400 for a file that is no CSV, has a record of more than 1,000 fields or more than 10,000
 * empty records
 */
export async function readRecords(bytes: Uint8Array, maxRecords: number): Promise<readonly CsvRecord[]> {
  const text = await textOf(bytes)
  const [declaration = '', separator] = separatorLine.exec(text.slice(0, 20)) ?? []
  const parser = parse({
    bom: true,
    cast: (field, { index }) => {
      if (index >= maxFields)
        throw refused(`A line of this file has more than ${maxFields.toLocaleString('en-US')} columns.`)
      return field
    },
    delimiter: separator ?? delimiterOf(text.slice(declaration.length, declaration.length + maxHeaderLength)),
    info: true,
    relaxColumnCount: true,
    // Keep a quotation mark inside an unquoted field as text.
    relaxQuotes: true,
    skipEmptyLines: true,
  })
  const fed = pipeline(slicesOf(withoutEmptyEnd(text.slice(declaration.length))), parser).catch(() => undefined)
  const records: CsvRecord[] = []
  let line = declaration === '' ? 1 : 2
  const firstLine = line - 1
  let empty = 0
  try {
    for await (const each of parser) {
      const { record: fields, info } = each as { readonly record: string[]; readonly info: { readonly lines: number } }
      if (fields.some((field) => field.trim() !== '')) records.push({ fields, line })
      else if (++empty > maxEmpty)
        throw refused(`There are more than ${maxEmpty.toLocaleString('en-US')} empty lines in this file.`)
      line = info.lines + 1 + firstLine
      if (records.length === maxRecords) break
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw refused(`This file can't be read as CSV: ${sentenceOf(error)}`)
  } finally {
    await fed
  }
  return records
}

/** What rows of separators consist of, by code. */
const isSeparating: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  ' \t\r\n,;'.includes(String.fromCodePoint(code)),
)

/**
 * Removes the rows of separators that spreadsheets append after the last row. By code, as 2 MB of them take a third of
 * the time that a search for each character takes.
 */
function withoutEmptyEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSeparating[text.charCodeAt(end - 1)] === true) end -= 1
  return text.slice(0, end)
}

async function* slicesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    yield bytes.subarray(from, from + sliceBytes)
    await yieldToEventLoop()
  }
}

/** Decodes the encodings of spreadsheets: UTF-8, UTF-16 with a byte order mark, else Windows-1252. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded(bytes, new TextDecoder('utf-16le'))
  if (first === 0xfe && second === 0xff) return decoded(bytes, new TextDecoder('utf-16be'))
  try {
    return await decoded(bytes, new TextDecoder('utf-8', { fatal: true }))
  } catch {
    return decoded(bytes, new TextDecoder('windows-1252'))
  }
}

/** In pieces, with a yield after each: 2 MB at once take 30 ms in Windows-1252. */
async function decoded(bytes: Uint8Array, decoder: TextDecoder): Promise<string> {
  let text = ''
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    text += decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true })
    await yieldToEventLoop()
  }
  return text + decoder.decode()
}

/** The separator differs by country: take the one that occurs most in the header. */
function delimiterOf(beginning: string): string {
  const [firstLine = ''] = beginning.trimStart().split(lineEnd, 1)
  const [most = ','] = delimiters.toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)
  return most
}

const sentenceOf = ({ code, lines }: CsvError & { readonly lines?: number }) =>
  code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'a quotation mark is opened and never closed.'
    : `something is wrong with the quotation marks${lines === undefined ? '' : ` near line ${lines}`}.`
