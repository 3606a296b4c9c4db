/** Comments on a post: who writes, reads, edits and removes them, what they are about, and where their words are. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Actor } from '../../../domain/core/event.ts'
import { patience } from '../../../domain/test/patience.ts'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openFiles } from '../../composition/embedded.ts'
import { later } from '../../core/clock.ts'
import { ApiClient } from '../../http/client.ts'
import { memberOf, type Guest } from '../../testing/members.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { history } from '../../core/aggregates.ts'
import type { Records } from '../../records/port.ts'
import { storesFor } from '../../testing/servers.ts'
import { eraseUser } from '../../operations/audit/erase.ts'
import { letter, lettersTo, tokenIn } from '../auth/test/letters.ts'
import { commentsFor } from './comments-for.ts'
import { openCommentWords, wordsId } from './words.ts'

let server: TestServer
let records: Records
let boss: ApiClient
let mine: Awaited<ReturnType<typeof brand>>
let writer: Guest
let manager: Guest
let viewer: Guest
let stranger: Guest

beforeAll(async () => {
  const dataDir = await temporaryFolder('comments')
  const openStores = async () => {
    const stores = await (storesFor(dataDir)?.() ?? openFiles(dataDir))
    records = stores.records
    return stores
  }
  server = await testServer({ DATA_DIR: dataDir }, { openStores })
  boss = await owner(server)
  mine = await brand(boss)
  const other = await brand(boss, 'linkedin')
  writer = await memberOf(server, boss, 'writer', [mine.clientId])
  manager = await memberOf(server, boss, 'manager', [mine.clientId])
  viewer = await memberOf(server, boss, 'viewer', [mine.clientId])
  stranger = await memberOf(server, boss, 'writer', [other.clientId])
})
afterAll(() => server.remove())

const content = 'Autumn breads 🇩🇪 are back'
async function post(text = content, more: object = {}): Promise<string> {
  const body = { socialAccountId: mine.accountId, content: text, ...more }
  return (await boss.callOrThrow('writePost', { params: { id: mine.clientId }, body })).id
}
const list = (id: string, by: ApiClient = boss) => by.callOrThrow('listComments', { params: { id } })
const say = (id: string, text: string, more: object = {}, by = writer.caller) =>
  by.ask('postComment', { params: { id }, body: { commentId: uuidv7(), text, ...more } })
async function said(id: string, text: string, more: object = {}, by = writer.caller) {
  return by.callOrThrow('postComment', { params: { id }, body: { commentId: uuidv7(), text, ...more } })
}
const edit = (id: string, commentId: string, text: string, by = writer.caller) =>
  by.ask('editComment', { params: { id, commentId }, body: { text } })
const remove = (id: string, commentId: string, by: ApiClient) => by.ask('removeComment', { params: { id, commentId } })
const eventsOn = (id: string) => history(server.commands.ports.events, `discussion-${id}`)

describe('A comment', () => {
  it('is read by the members who see the post, with replies below it', async () => {
    const id = await post()
    const first = await said(id, 'Which breads?')
    const reply = await said(id, 'Rye and spelt.', { parentId: first.id }, manager.caller)
    expect(first).toMatchObject({ audience: 'team', state: 'shown', editedAt: null, can: ['reply', 'edit', 'remove'] })
    const seen = await list(id, viewer.caller)
    expect(seen).toMatchObject({ content, imageHash: null, next: null })
    expect(seen.comments).toMatchObject([
      { id: first.id, text: 'Which breads?', author: { kind: 'member' }, can: [] },
      { id: reply.id, parentId: first.id, text: 'Rye and spelt.', can: [] },
    ])
    expect((await stranger.caller.ask('listComments', { params: { id } })).status).toBe(404)
    expect((await say(id, 'Mine now', {}, stranger.caller)).status).toBe(404)
    expect((await say(id, 'May I?', {}, viewer.caller)).status).toBe(403)
    expect(await say(id, 'Third level', { parentId: reply.id })).toMatchObject({ status: 409 })
  })

  it('sent twice is one comment; other words under its id are refused', async () => {
    const id = await post()
    const body = { commentId: uuidv7(), text: 'Once', mentions: [] }
    for (let time = 0; time < 2; time++) await writer.caller.callOrThrow('postComment', { params: { id }, body })
    expect(await eventsOn(id)).toHaveLength(1)
    const taken = [
      await writer.caller.ask('postComment', { params: { id }, body: { ...body, text: 'Twice' } }),
      await manager.caller.ask('postComment', { params: { id }, body }),
    ]
    expect(taken.map(({ status }) => status)).toEqual([409, 409])
    // The same id on another post is another comment.
    await manager.caller.callOrThrow('postComment', { params: { id: await post() }, body })
    expect((await list(id)).comments).toMatchObject([{ text: 'Once' }])
  })

  it('keeps its words when others are sent under its id at the same time', async () => {
    const id = await post()
    const kept: string[] = []
    for (let round = 0; round < 10; round++) {
      const params = { id }
      const body = (text: string) => ({ commentId, text: `${text} ${round}`, mentions: [] })
      const commentId = uuidv7()
      const texts = ['One', 'Two', 'Three']
      const replies = await Promise.all(
        texts.map((text) => writer.caller.ask('postComment', { params, body: body(text) })),
      )
      const statuses = replies.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([201, 409, 409])
      kept.push(`${texts[statuses.indexOf(201)]} ${round}`)
    }
    expect((await list(id)).comments.map(({ text }) => text)).toEqual(kept)
  })

  it('takes the id of words that were left behind by a request without its event', async () => {
    const id = await post()
    const { id: commentId } = await said(id, 'Signed')
    const words = await openCommentWords(records)
    const { record } = (await words.get(wordsId(id, commentId))) ?? expect.fail('No words')
    const left = uuidv7()
    await words.insert({ ...record, id: wordsId(id, left) })
    expect(await say(id, 'Other words', { commentId: left })).toMatchObject({ status: 409 })
    server.clock.advance(60_000)
    expect(await said(id, 'Other words', { commentId: left })).toMatchObject({ text: 'Other words' })
  })

  it('keeps its words in the records: no event has one, and a removal erases them [S210]', async () => {
    const id = await post()
    const secret = 'Zanzibar'
    const suggestion = { text: `${secret} breads`, contentHash: (await list(id)).textHash }
    const { id: commentId } = await said(id, `${secret} is secret`, { audience: 'client', suggestion })
    const words = await openCommentWords(records)
    const before = (await eventsOn(id)).at(-1)
    expect(before?.data).toMatchObject({ audience: 'client', digest: expect.stringMatching(/^v1:[0-9a-f]{64}$/) })
    expect(JSON.stringify(await eventsOn(id))).not.toContain(secret)
    expect(JSON.stringify((await words.get(wordsId(id, commentId)))?.record)).toContain(secret)
    expect((await remove(id, commentId, manager.caller)).status).toBe(403)
    expect((await remove(id, commentId, boss)).status).toBe(204)
    expect((await remove(id, commentId, boss)).status).toBe(204)
    expect(await words.get(wordsId(id, commentId))).toBeNull()
    expect((await list(id)).comments).toMatchObject([{ state: 'removed', text: null, suggestion: null, can: [] }])
    expect((await edit(id, commentId, 'Back')).status).toBe(404)
  })

  it('is edited by its author: silently at first, and marked after 15 minutes', async () => {
    const id = await post()
    const { id: commentId } = await said(id, 'Frist')
    expect(await edit(id, commentId, 'Not mine', boss)).toMatchObject({ status: 403 })
    const change = (text: string) =>
      writer.caller.callOrThrow('editComment', { params: { id, commentId }, body: { text } })
    expect(await change('First')).toMatchObject({ text: 'First', editedAt: null })
    server.clock.advance(16 * 60_000)
    const { editedAt } = await change('First.')
    expect(editedAt).not.toBeNull()
    expect(await change('First.')).toMatchObject({ editedAt })
    expect(await eventsOn(id)).toHaveLength(3)
    const { record } = (await (await openCommentWords(records)).get(wordsId(id, commentId))) ?? {}
    expect(record).toMatchObject({ words: { text: 'First.' }, earlier: null })
  })

  it('shows no words that its event does not prove, and no record without an event [S212]', async () => {
    const id = await post()
    const { id: commentId } = await said(id, 'Signed')
    const words = await openCommentWords(records)
    const kept = (await words.get(wordsId(id, commentId))) ?? expect.fail('No words')
    await words.put({ ...kept.record, words: { ...kept.record.words, text: 'Forged' } })
    await words.insert({ ...kept.record, id: wordsId(id, uuidv7()) })
    expect((await list(id)).comments).toMatchObject([{ state: 'erased', text: null }])
  })

  it('mentions members of the client alone', async () => {
    const id = await post()
    expect(await said(id, 'See this', { mentions: [manager.memberId] })).toMatchObject({ mentions: [manager.memberId] })
    expect(await say(id, 'See this', { mentions: [stranger.memberId] })).toMatchObject({ status: 409 })
    expect(await eventsOn(id)).toHaveLength(1)
  })

  it('is told by mail to those it mentions, once and without its words', { tags: 'long' }, async () => {
    await manager.caller.callOrThrow('askAddressLink')
    const token = tokenIn(await letter(server, manager.email, /confirm/i))
    await manager.caller.callOrThrow('confirmAddress', { body: { token } })
    const id = await post()
    const body = { commentId: uuidv7(), text: 'Secret, @Max', mentions: [manager.memberId, writer.memberId] }
    for (let time = 0; time < 2; time++) await writer.caller.callOrThrow('postComment', { params: { id }, body })
    const params = { id, commentId: body.commentId }
    const { text, mentions } = body
    await writer.caller.callOrThrow('editComment', { params, body: { text: `${text}!`, mentions } })
    const letters = async () =>
      (await lettersTo(server, manager.email)).filter(({ text: sent }) => sent.includes('mentioned'))
    await vi.waitFor(async () => expect(await letters()).toHaveLength(1), patience)
    const [told] = await letters()
    expect(told?.text).toContain(`/content?client=${mine.clientId}`)
    expect(JSON.stringify(told)).not.toContain('Secret')
    // The author gets none.
    const own = (await lettersTo(server, writer.email)).filter(({ text: sent }) => sent.includes('mentioned'))
    expect(own).toEqual([])
  })

  it('loses its words with its author', async () => {
    const id = await post()
    const leaving = await memberOf(server, boss, 'writer', [mine.clientId])
    await said(id, 'Words of a person', {}, leaving.caller)
    const { metadata } = (await eventsOn(id)).at(-1) ?? expect.fail('No event')
    await eraseUser(records, server.clock, metadata.actor.id, [], join(server.dataDir, 'outbox'))
    expect((await list(id)).comments).toMatchObject([
      { state: 'erased', text: null, author: { name: 'Former member' }, can: ['remove'] },
    ])
  })
})

describe('An anchor', () => {
  const hash = async (id: string) => (await list(id)).textHash
  const range = (from: number, to: number, contentHash: string) => ({
    anchor: { kind: 'range', from, to, contentHash },
  })

  it('belongs to a version of the text, which stays readable after a change', async () => {
    const id = await post()
    const { id: commentId } = await said(id, 'Not "breads"', range(7, 13, await hash(id)))
    expect((await list(id)).comments).toMatchObject([{ isEarlierVersion: false, anchor: { from: 7, to: 13 } }])
    const params = { id, commentId }
    await boss.callOrThrow('changePost', { params: { id }, body: { content: 'Autumn rolls' } })
    expect((await list(id)).comments).toMatchObject([{ isEarlierVersion: true }])
    expect(await viewer.caller.callOrThrow('getCommentedVersion', { params })).toEqual({ content, imageUrl: null })
    expect(await stranger.caller.ask('getCommentedVersion', { params })).toMatchObject({ status: 404 })
  })

  it('of a text or image that the post no longer has is refused, and leaves no words', async () => {
    const id = await post()
    const old = await hash(id)
    await boss.callOrThrow('changePost', { params: { id }, body: { content: 'Other words' } })
    const body = { commentId: uuidv7(), text: 'Late', ...range(0, 1, old) }
    expect(await writer.caller.ask('postComment', { params: { id }, body })).toMatchObject({
      status: 409,
      text: 'The text has changed. Refresh to see the current one.',
    })
    const point = { kind: 'point', x: 0.5, y: 0.5, contentHash: old }
    expect(await say(id, 'Late', { anchor: point })).toMatchObject({ status: 409 })
    expect(await say(id, 'Late', { suggestion: { text: 'Mine', contentHash: old } })).toMatchObject({ status: 409 })
    expect(await (await openCommentWords(records)).get(wordsId(id, body.commentId))).toBeNull()
  })

  it.each([
    ['a range from > to', { anchor: { kind: 'range', from: 3, to: 1 } }, 'Anchor to: The range ends before it begins'],
    ['a range beyond the text', { anchor: { kind: 'range', from: 0, to: 999 } }, 'Anchor to: The text ends at 27'],
    [
      'a range inside an emoji',
      { anchor: { kind: 'range', from: 0, to: 15 } },
      'Anchor to: Inside an emoji or another single character',
    ],
    [
      'a range that begins inside one',
      { anchor: { kind: 'range', from: 16, to: 20 } },
      'Anchor from: Inside an emoji or another single character',
    ],
    ['x = 1.2', { anchor: { kind: 'point', x: 1.2, y: 0 } }, 'Anchor x: Enter a number from 0 to 1'],
    ['y = -1', { anchor: { kind: 'point', x: 0, y: -1 } }, 'Anchor y: Enter a number from 0 to 1'],
    ['a NUL', { text: 'a\0b' }, 'Text: The comment has an invisible character'],
    ['a lone surrogate', { text: 'a\ud800' }, 'Text: The comment has an invisible character'],
    ['characters that show nothing', { text: '\u200b\u2060\u{e0020}' }, 'Text: A comment must not be empty'],
    ['blanks', { text: ' \n\u00a0' }, 'Text: A comment must not be empty'],
    ['5,001 characters', { text: '😀'.repeat(5_001) }, 'Text: A comment has at most 5,000 characters'],
    [
      '11 mentions',
      { mentions: Array.from({ length: 11 }, () => uuidv7()) },
      'Mentions: A comment mentions at most 10',
    ],
  ])('or text is refused with %s, which names the field', async (_, more, sentence) => {
    const id = await post()
    const anchor = 'anchor' in more ? { anchor: { ...(more.anchor as object), contentHash: await hash(id) } } : {}
    const { status, text } = await say(id, 'Fine', { ...more, ...anchor })
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(sentence) })
  })

  it('of 5,000 emoji is taken, and 2 MB are not', async () => {
    const id = await post()
    await said(id, '😀'.repeat(5_000))
    expect((await say(id, 'x'.repeat(2_000_000))).status).toBe(413)
  })
})

it('A suggested text is taken over by one click: the post is revised and submitted, once', async () => {
  const id = await post(content, { status: 'pending' })
  const suggestion = { text: 'Autumn rolls', contentHash: (await list(id)).textHash }
  const { id: commentId, can } = await said(id, 'Shorter', { suggestion })
  const other = await said(id, 'Longer', { suggestion: { ...suggestion, text: 'Autumn breads and rolls' } })
  expect(can).toContain('take-over')
  const take = (comment: string, by = writer.caller) =>
    by.ask('takeOverSuggestion', { params: { id, commentId: comment } })
  expect(await take(commentId, viewer.caller)).toMatchObject({ status: 403 })
  for (let time = 0; time < 2; time++)
    expect(await writer.caller.callOrThrow('takeOverSuggestion', { params: { id, commentId } })).toMatchObject({
      suggestion: { text: 'Autumn rolls', state: 'taken' },
    })
  expect(await boss.callOrThrow('getPost', { params: { id } })).toMatchObject({
    content: 'Autumn rolls',
    status: 'pending',
  })
  const types = (await boss.callOrThrow('getPostHistory', { params: { id } })).map(({ type }) => type)
  expect(types.slice(-3)).toEqual(['PostReturnedToDraft', 'PostContentRevised', 'PostSubmitted'])
  expect(await take(other.id)).toMatchObject({
    status: 409,
    text: 'The text has changed. Refresh to see the current one.',
  })
  expect(await take((await said(id, 'No text')).id)).toMatchObject({ status: 404 })
})

it('Comments for the team never occur in what the client reads [S211]', async () => {
  const id = await post()
  const first = await said(id, 'For the team')
  await said(id, 'Reply for the team', { parentId: first.id })
  const open = await said(id, 'For the client', { audience: 'client' })
  await said(id, 'Reply for the client', { parentId: open.id }, manager.caller)
  expect(await say(id, 'Slips out', { parentId: first.id, audience: 'client' })).toMatchObject({ status: 409 })
  const { commands } = server
  const [{ state: discussion }, { state }] = await Promise.all([commands.loadDiscussion(id), commands.loadPost(id)])
  const ports = { words: await openCommentWords(records), nameOf: async ({ id: who }: Actor) => who }
  const { body } = await commentsFor('client', ports, { postId: id, post: state, discussion })
  expect(body.map(({ text, can }) => [text, can])).toEqual([
    ['For the client', []],
    ['Reply for the client', []],
  ])
  expect(JSON.stringify(body)).not.toContain('team')
})

it('The history has that there were comments, from whom and for whom, and for auditors too [S243]', async () => {
  const id = await post()
  const { id: secret } = await said(id, 'Secret of the team')
  server.clock.advance(1_000)
  await boss.callOrThrow('changePost', { params: { id }, body: { content: 'Rolls' } })
  await said(id, 'For all to read', { audience: 'client' }, manager.caller)
  const history = await boss.callOrThrow('getPostHistory', { params: { id } })
  expect(history.map(({ type, comments }) => [type, comments])).toMatchObject([
    ['PostWritten', [{ id: secret, audience: 'team', actor: { type: 'user', role: 'writer' } }]],
    ['PostContentRevised', [{ audience: 'client', actor: { role: 'manager' } }]],
  ])
  const { url } = await boss.callOrThrow('issueAuditorLink', {
    body: { label: 'An auditor', expiresAt: later(server.clock.now(), 86_400_000) },
  })
  const params = { id, token: url.split('/').at(-1) ?? '' }
  const audited = await new ApiClient(server.url).callOrThrow('getHistoryAsAuditor', { params })
  expect(audited.map(({ comments = [] }) => comments.map(({ audience }) => audience))).toEqual([['team'], ['client']])
  for (const words of ['Secret', 'For all']) expect(JSON.stringify([history, audited])).not.toContain(words)
})

it('More than 100 comments are read page by page', { tags: 'long' }, async () => {
  const id = await post()
  for (let index = 0; index < 101; index++) await said(id, `Comment ${index}`)
  const { comments, next } = await list(id)
  expect(comments).toHaveLength(100)
  const rest = await boss.callOrThrow('listComments', { params: { id }, query: { cursor: next ?? '' } })
  expect(rest).toMatchObject({ comments: [{ text: 'Comment 100' }], next: null })
  expect(await boss.ask('listComments', { params: { id }, query: { cursor: 'WyIwMTk1YTAwMCJd' } })).toMatchObject({
    status: 400,
  })
})

it('No file of the log has the words of a comment', async () => {
  const id = await post()
  await said(id, 'Madagascar vanilla')
  const files = (await readdir(server.dataDir)).filter((name) => name.startsWith('events'))
  for (const name of files) expect((await readFile(join(server.dataDir, name))).includes('Madagascar')).toBe(false)
})
