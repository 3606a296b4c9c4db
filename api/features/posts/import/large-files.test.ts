/**
 * Imports of files at the size limit, built to be slow: other requests are answered meanwhile.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestBlockMs } from '../../../../domain/test/longest-block.ts'
import type { ApiClient } from '../../../http/client.ts'
import { maxImportBytes, maxImportRows } from '../../../contract/import.ts'
import { owner, testServer, brand, type TestServer } from '../../../testing/server.ts'
import { readRows, type Row } from './read.ts'
import { asked } from './rows.ts'

/** The specified limit on blocking the event loop. */
const maxMs = 50
const longestContent = 65_000

let server: TestServer
let caller: ApiClient
let clientId: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  ;({ clientId } = await brand(caller))
  await caller.callOrThrow('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'twitter', accountName: 'bluecup' },
  })
})
afterAll(() => server.remove())

const bytesOf = (text: string) => new TextEncoder().encode(text).subarray(0, maxImportBytes)
const header = 'content,platform\n'
const read = (text: string) => readRows(bytesOf(text)).catch((error: Error) => error.message)

describe('a file of 2 MB', () => {
  it.each([
    ['500,000 rows', header + 'a,x\n'.repeat(500_000), /^There are more than 1,000 posts in this file\./],
    ['2,000,000 empty rows', header + '\n'.repeat(2_000_000), /^There are no posts in this file\./],
    ['600,000 rows of spaces at its end', header + '  \n'.repeat(600_000), /^There are no posts in this file\./],
    [
      '600,000 rows of spaces before a post',
      `${header}${'  \n'.repeat(600_000)}a,x`,
      /^There are more than 10,000 empty lines in this file\.$/,
    ],
    ['a row of 1,000 cells', header + 'a,'.repeat(1_000), null],
    [
      'a row of 1,000,000 cells',
      header + 'a,'.repeat(1_000_000),
      /^A line of this file has more than 1,000 columns\.$/,
    ],
    [
      'a first line of 200 columns',
      `content,platform,${'a,'.repeat(200)}\nx,x`,
      /^The first line names more than 100 columns\.$/,
    ],
    [
      '1,000,000 separators before a post',
      `${header}${','.repeat(1_000_000)}a`,
      /^A line of this file has more than 1,000 columns\.$/,
    ],
    [
      'a quotation mark that is never closed',
      `${header}"${'a\n'.repeat(1_000_000)}`,
      /a quotation mark is opened and never closed\.$/,
    ],
    ['quotation marks alone', header + '"'.repeat(1_999_999), /^This file can't be read as CSV/],
    ['nothing but spaces', ' '.repeat(2_000_000), /^There are no posts in this file\./],
    ['separators alone', ';'.repeat(2_000_000), /^There are no posts in this file\./],
    ['carriage returns', header + '\r'.repeat(2_000_000), /^There are no posts in this file\./],
  ] as const)(
    'with %s is read or refused without blocking the event loop for 50 ms [S57]',
    async (_, text, sentence) => {
      expect(await longestBlockMs(() => read(text), maxMs)).toBeLessThan(maxMs)
      const result = await read(text)
      if (sentence === null) expect(result).toMatchObject([{ line: 2, hasMore: true }])
      else expect(result).toMatch(sentence)
    },
  )

  it.each([
    ['1.', 'x'],
    ['éa', 'x'],
    ['A. ', 'facebook'],
    ['#a ', 'instagram'],
    ['☕', 'x'],
    ['a\u0301\u0316', 'x'],
  ])(
    'with the longest texts of nothing but %j for %s is judged without blocking the event loop for 50 ms',
    async (piece, platform) => {
      const content = piece.repeat(Math.floor(longestContent / piece.length) - 10)
      const lines = Array.from({ length: 40 }, (_, at) => `${content}${at},${platform}\n`)
      const body = new Blob([bytesOf(header + lines.join(''))], { type: 'text/csv' })
      for (const status of ['draft', 'pending'] as const) {
        const judge = () =>
          caller.ask('importPosts', { params: { id: clientId }, query: { dryRun: 'true', status }, body })
        expect(await longestBlockMs(judge, maxMs)).toBeLessThan(maxMs)
      }
    },
  )
})

it('1,000 rows of 65,000 characters each become commands without blocking the event loop for 50 ms', async () => {
  const { state: client } = await server.commands.loadClient(clientId)
  const agencyId = (await caller.callOrThrow('getAgency')).id
  const row = (at: number): Row => ({
    line: at + 2,
    hasMore: false,
    content: `${at} ${'a. '.repeat(21_600)}`,
    platform: 'x',
    account: '',
    date: '2099-01-01',
    time: '9:00',
    image: '',
  })
  const rows = Array.from({ length: maxImportRows }, (_, at) => row(at))
  const writes = new Set<number>()
  const make = async () => {
    const all = await asked(rows, { agencyId, clientId, client, zone: 'Europe/Berlin', as: 'pending' })
    writes.add(all.filter(({ write }) => write !== null).length)
  }
  expect(await longestBlockMs(make, maxMs, 4)).toBeLessThan(maxMs)
  expect([...writes]).toEqual([maxImportRows])
})

it('A cell with an invalid date, network or account is quoted with its first 60 characters', async () => {
  const long = 'no'.repeat(50_000)
  const body = new Blob(
    [`content,platform,account,date\nHi,${long},,\nHi,x,${long},\nHi,x,,${long}\nHi,x,,T${'T '.repeat(50_000)}`],
    { type: 'text/csv' },
  )
  const { rows } = await caller.callOrThrow('importPosts', {
    params: { id: clientId },
    query: { dryRun: 'true' },
    body,
  })
  const quote = `“${'no'.repeat(30)}…”`
  expect(rows.map(({ sentence }) => sentence)).toEqual([
    `${quote} is not a network. Use facebook, instagram, x or linkedin.`,
    `This client has no account ${quote} on X (Twitter).`,
    `${quote} is not a date. Write it like 2026-12-31.`,
    `“${'T'.padEnd(2, 'T')}${' T'.repeat(29)}…” is not a date. Write it like 2026-12-31.`,
  ])
})
