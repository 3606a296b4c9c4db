import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../../domain/test/patience.ts'
import type { ApiClient } from '../../../http/client.ts'
import { owner, testServer, brand, type TestServer } from '../../../testing/server.ts'

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
  await caller.callOrThrow('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'instagram', accountName: 'Blue Cup' },
  })
})
afterAll(() => server.remove())

const csv = (...lines: readonly string[]) => new Blob([lines.join('\n')], { type: 'text/csv' })
const ask = (body: Blob, query: Readonly<Record<string, string>> = {}, id = clientId) =>
  caller.ask('importPosts', { params: { id }, query, body })
async function rows(body: Blob, query: Readonly<Record<string, string>> = {}) {
  return (await caller.callOrThrow('importPosts', { params: { id: clientId }, query, body })).rows
}
const dry = { dryRun: 'true' }
const posts = () => caller.callOrThrow('listPosts', { params: { id: clientId } })
/** A future year by the tests' clock, in the agency's time zone. */
const year = () => String(new Date(server.clock.now()).getUTCFullYear() + 1)

describe('A CSV file of posts', () => {
  it("gets a preview of each row's outcome, and nothing is written", async () => {
    const before = (await posts()).length
    const file = csv(
      'Content,Platform,Account,Date,Time,Image',
      `Spring is here,facebook,,${year()}-07-01,09:30,https://img.example/a.jpg`,
      '"Two lines,\nand a comma",X,@BlueCup,,,',
      ',facebook,,,,',
      'No such network,myspace,,,,',
      'No such account,facebook,Red Cup,,,',
      'Which of them,,Blue Cup,,,',
      `Long ago,facebook,,2001-01-01,,`,
      'Half a time,facebook,,,10:00,',
      'Not an image,facebook,,,,javascript:alert(1)',
      'Spring is here,facebook,,,,',
      'Spring is here,facebook,,,,',
    )
    const found = await rows(file, dry)
    expect(found.map(({ line, verdict, sentence }) => [line, verdict, sentence])).toEqual([
      [2, 'ready', null],
      [3, 'ready', null],
      [5, 'refused', 'Content must not be empty.'],
      [6, 'refused', '“myspace” is not a network. Use facebook, instagram, x or linkedin.'],
      [7, 'refused', 'This client has no account “Red Cup” on Facebook.'],
      [8, 'refused', 'This client has several accounts called “Blue Cup”. Name the platform too.'],
      [9, 'refused', 'That time has passed. Choose a time in the future.'],
      [10, 'refused', 'There is a time but no date.'],
      [11, 'refused', 'Image: Enter a web address that starts with http:// or https://.'],
      [12, 'ready', null],
      [13, 'refused', 'The same as line 12, which is imported once.'],
    ])
    // 09:30 local time, in Berlin's summer time.
    expect(found[0]).toMatchObject({
      platform: 'facebook',
      accountName: 'Blue Cup',
      scheduledFor: `${year()}-07-01T07:30:00.000Z`,
      imageUrl: 'https://img.example/a.jpg',
    })
    expect(found[1]).toMatchObject({ platform: 'twitter', content: 'Two lines,\nand a comma', scheduledFor: null })
    expect(await posts()).toHaveLength(before)
  })

  it('becomes posts, one per row; a bad row stops no other; the same file again adds nothing', async () => {
    const file = csv(
      'text;network;date;time',
      `Guten Morgen;facebook;31.12.${year()};9:00`,
      'Kaputt;myspace;;',
      'Ohne Zeit;facebook;;',
    )
    const before = (await posts()).length
    const first = await rows(file)
    expect(first.map(({ verdict }) => verdict)).toEqual(['written', 'refused', 'written'])
    const written = await posts()
    expect(written).toHaveLength(before + 2)
    expect(written.find(({ content }) => content === 'Guten Morgen')).toMatchObject({
      status: 'draft',
      scheduledFor: `${year()}-12-31T08:00:00.000Z`,
      id: first[0]?.postId,
    })

    const again = await rows(file)
    expect(again.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
      ['known', 'Imported before.'],
      ['refused', '“myspace” is not a network. Use facebook, instagram, x or linkedin.'],
      ['known', 'Imported before.'],
    ])
    expect(await posts()).toHaveLength(before + 2)
    expect((await rows(file, dry)).map(({ verdict }) => verdict)).toEqual(['known', 'refused', 'known'])
  })

  it('refuses the remaining rows once the client is removed', { tags: 'long' }, async () => {
    const { clientId: removed } = await brand(caller)
    const file = csv('content,platform', ...Array.from({ length: 400 }, (_, index) => `Row ${index},facebook`))
    const importing = ask(file, {}, removed)
    const written = () => caller.callOrThrow('listPosts', { params: { id: removed } })
    await expect.poll(async () => (await written()).length, { ...patience, interval: 5 }).toBeGreaterThan(0)
    await caller.callOrThrow('removeClient', { params: { id: removed } })
    const { rows: found } = JSON.parse((await importing).text) as { rows: readonly { verdict: string }[] }
    expect([found[0]?.verdict, found.at(-1)?.verdict]).toEqual(['written', 'refused'])
  })

  it('leaves posts unchanged that a user edited or deleted after the import', async () => {
    const file = csv('content,platform', 'To be edited,facebook', 'To be deleted,facebook')
    const [edited, deleted] = await rows(file)
    await caller.callOrThrow('changePost', { params: { id: edited?.postId ?? '' }, body: { content: 'Edited since' } })
    await caller.callOrThrow('deletePost', { params: { id: deleted?.postId ?? '' } })
    const again = await rows(file)
    expect(again.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
      ['known', 'Imported before.'],
      ['known', 'Imported before, and deleted since.'],
    ])
    const contents = (await posts()).map(({ content }) => content)
    expect(contents).toContain('Edited since')
    expect(contents).not.toContain('To be edited')
    expect(contents).not.toContain('To be deleted')
  })

  it("goes straight to review on request, each row by its network's rules", async () => {
    const file = csv('content,platform', 'Good for review,facebook', `${'x'.repeat(281)},x`, 'No image,instagram')
    const drafts = await rows(file, dry)
    expect(drafts.map(({ verdict }) => verdict)).toEqual(['ready', 'ready', 'ready'])
    expect(drafts[1]?.sentence).toContain('It can be imported as a draft.')
    const reviewed = await rows(file, { ...dry, status: 'pending' })
    expect(reviewed.map(({ verdict }) => verdict)).toEqual(['ready', 'refused', 'refused'])
    expect((await rows(file, { status: 'pending' })).map(({ verdict }) => verdict)).toEqual([
      'written',
      'refused',
      'refused',
    ])
    expect((await posts()).find(({ content }) => content === 'Good for review')).toMatchObject({ status: 'pending' })
  })

  it('is imported in batches, so that the browser can show progress', async () => {
    const lines = Array.from({ length: 7 }, (_, at) => `Portion ${at},facebook`)
    const file = csv('content,platform', ...lines)
    const seen = []
    for (let from = 0; from < 7; from += 3) {
      const { total, rows } = await caller.callOrThrow('importPosts', {
        params: { id: clientId },
        query: { from: String(from), count: '3' },
        body: file,
      })
      expect(total).toBe(7)
      seen.push(...rows.map(({ content, verdict }) => [content, verdict]))
    }
    expect(seen).toEqual(lines.map((_, at) => [`Portion ${at}`, 'written']))
    // The list has the file's order, last row on top.
    expect((await posts()).slice(0, 7).map(({ content }) => content)).toEqual(
      lines.map((_, at) => `Portion ${at}`).toReversed(),
    )
  })

  it.each([
    [
      'an empty one',
      new Blob(['\n'], { type: 'text/csv' }),
      400,
      'There are no posts in this file. The first line names the columns, each further line is a post.',
    ],
    [
      'only the columns',
      csv('content,platform'),
      400,
      'There are no posts in this file. The first line names the columns, each further line is a post.',
    ],
    [
      'no column of texts',
      csv('date,platform', '2030-01-01,facebook'),
      400,
      'The first line must name the columns, and none is called “content”.',
    ],
    [
      'no column of places',
      csv('content,date', 'Hello,2030-01-01'),
      400,
      'The first line must have a column “platform” or “account”, so that each post finds its place.',
    ],
    [
      'an open quotation mark',
      csv('content,platform', '"Hello,facebook'),
      400,
      "This file can't be read as CSV: a quotation mark is opened and never closed.",
    ],
    [
      'too many rows',
      csv('content,platform', ...Array.from({ length: 1_001 }, (_, at) => `${at},facebook`)),
      400,
      'There are more than 1,000 posts in this file. At most 1,000 can be imported at once: split it.',
    ],
    [
      'too many bytes',
      new Blob(['x'.repeat(2 * 1024 * 1024 + 1)], { type: 'text/csv' }),
      413,
      'That is too large: at most 2 MB can be sent.',
    ],
    [
      'another type',
      new Blob(['{}'], { type: 'application/json' }),
      415,
      'Send the file itself as the body, as text/csv.',
    ],
  ])('is refused as a whole with an explanation: %s', async (_, body, status, text) => {
    expect(await ask(body)).toMatchObject({ status, text })
  })

  it("cannot be imported into another agency's client", async () => {
    const stranger = await owner(server)
    const answer = await stranger.ask('importPosts', {
      params: { id: clientId },
      body: csv('content,platform', 'Hello,facebook'),
    })
    expect(answer).toMatchObject({ status: 404, text: "This client doesn't exist." })
  })

  it('with cells as long as the file gets a short report', { tags: 'long' }, async () => {
    const huge = 'y'.repeat(1_500_000)
    const file = csv(
      'content,platform,image',
      `Hello,${huge},`,
      `Hello,facebook,https://img.example/${huge.slice(0, 300_000)}`,
    )
    const { text } = await ask(file, dry)
    expect(text.length).toBeLessThan(5_000)
    expect(JSON.parse(text)).toMatchObject({
      rows: [
        { verdict: 'refused' },
        { verdict: 'refused', sentence: 'Image: A web address has at most 2,048 characters.' },
      ],
    })
  })

  it('with a text that was split at its commas has that row refused, not truncated', async () => {
    const found = await rows(
      csv(
        'platform,date,time,content',
        'facebook,2099-01-01,09:00,Hello, friends, buy now',
        'facebook,2099-01-01,09:00,Whole,,',
      ),
      dry,
    )
    expect(found.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
      ['refused', 'It has more columns than the first line names. Put quotation marks around its text.'],
      ['ready', null],
    ])
  })

  it('with a quotation mark inside a text has all its rows', async () => {
    const found = await rows(
      csv('content,platform', 'He said "hi" there,facebook', '"And ""quoted"" well",facebook'),
      dry,
    )
    expect(found.map(({ verdict, content }) => [verdict, content])).toEqual([
      ['ready', 'He said "hi" there'],
      ['ready', 'And "quoted" well'],
    ])
  })

  it.each([
    [
      'with the line that says what separates',
      new TextEncoder().encode('sep=;\r\ncontent;platform\r\nZoë, hello;facebook'),
    ],
    ['after an empty line', new TextEncoder().encode('\r\ncontent;platform\r\nZoë, hello;facebook')],
    ["in Windows' western letters", Uint8Array.from(Buffer.from('content;platform\r\nZoë, hello;facebook', 'latin1'))],
    ['in UTF-16', Uint8Array.from(Buffer.from('\uFEFFcontent;platform\r\nZoë, hello;facebook', 'utf16le'))],
    ['with tabs', new TextEncoder().encode('content\tplatform\nZoë, hello\tfacebook')],
  ])('is read in every encoding of spreadsheets: %s', async (_, bytes) => {
    const found = await rows(new Blob([bytes], { type: 'text/csv' }), dry)
    expect(found.map(({ verdict, content }) => [verdict, content])).toEqual([['ready', 'Zoë, hello']])
  })

  it('is read with a byte order mark at its start', async () => {
    expect(
      (await rows(csv('\uFEFFcontent,platform', 'With a mark,facebook'), dry)).map(({ verdict }) => verdict),
    ).toEqual(['ready'])
  })

  it.each([
    [
      [`12/31/${2099}`, `01/02/${2099}`],
      ['2099-12-31', '2099-01-02'],
    ],
    [
      [`31/12/${2099}`, `01/02/${2099}`],
      ['2099-12-31', '2099-02-01'],
    ],
    [[`01/02/${2099}`], [null]],
    [
      ['2099-02-30', 'soon', '2099-03-01 14:15', '2099-03-01T6:00 PM'],
      [null, null, '2099-03-01', '2099-03-01'],
    ],
  ])("has dates in its country's order, decided for the whole file: %j", async (dates, days) => {
    const found = await rows(
      csv('content,platform,date', ...dates.map((date, at) => `Day ${at},facebook,${date}`)),
      dry,
    )
    expect(found.map(({ scheduledFor }) => scheduledFor?.slice(0, 10) ?? null)).toEqual(days)
    for (const { verdict, sentence } of found)
      expect(verdict === 'ready' ? null : sentence).toSatisfy(
        (said: string | null) => said === null || /not a date|no day|isn't clear/.test(said),
      )
  })
})

describe('The columns of a file', () => {
  const columns = async (body: Blob) => caller.callOrThrow('readImportHeader', { params: { id: clientId }, body })
  const unusual = () => csv('Notes,Copy,Where,Publish Date', `for Ada,Chosen columns,facebook,${year()}-08-01`)

  it('are listed with their first values, and found by their names [P16.1]', async () => {
    expect(await columns(unusual())).toEqual({
      header: [
        { name: 'Notes', example: 'for Ada' },
        { name: 'Copy', example: 'Chosen columns' },
        { name: 'Where', example: 'facebook' },
        { name: 'Publish Date', example: `${year()}-08-01` },
      ],
      columns: { content: null, platform: null, account: null, date: 3, time: null, image: null },
    })
    expect((await caller.ask('readImportHeader', { params: { id: clientId }, body: csv('content') })).status).toBe(400)
  })
  it('have a sign where a first value is cut', async () => {
    const { header } = await columns(csv('content,platform', `${'Bread '.repeat(20)},facebook`))
    expect(header).toEqual([
      { name: 'content', example: `${'Bread '.repeat(10).slice(0, 59)}…` },
      { name: 'platform', example: 'facebook' },
    ])
  })
  it('can be chosen [P16.1]', async () => {
    expect(await ask(unusual())).toMatchObject({ status: 400 })
    const [row] = await rows(unusual(), { ...dry, columns: 'content:1,platform:2,date:3' })
    expect(row).toMatchObject({ verdict: 'ready', content: 'Chosen columns', platform: 'facebook' })
    expect(row?.scheduledFor).toContain(`${year()}-08-01`)
    expect(await rows(unusual(), { ...dry, columns: 'content:1,platform:2' })).toMatchObject([{ scheduledFor: null }])
    expect(await rows(unusual(), { ...dry, columns: 'content:1,platform:99' })).toMatchObject([{ verdict: 'refused' }])
  })
  it.each(['content', 'content:x', 'content:1,content:2', 'content:100', 'other:1', 'content:1:2', ''])(
    'are refused as %j',
    async (chosen) => {
      expect(await ask(unusual(), { columns: chosen })).toMatchObject({
        status: 400,
        text: 'Columns: Send columns with their places, like content:2,platform:0',
      })
    },
  )
})
