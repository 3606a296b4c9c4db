/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agencyIdOf } from '../../core/agency-id.ts'
import { nextPage, ApiClient } from '../../http/client.ts'
import { later } from '../../core/clock.ts'
import type { HistoryEntry } from '../../contract/index.ts'
import { accepted } from '../../http/handler.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

const maxBytes = 2_001_000
const edits = 60
const textOf = (edit: number) => `${edit} ${'ж'.repeat(65_000)}`.slice(0, 65_000)

let server: TestServer
let caller: ApiClient
let id: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  id = (
    await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: textOf(0) },
    })
  ).id
  for (let edit = 1; edit <= edits; edit++)
    await caller.callOrThrow('changePost', { params: { id }, body: { content: textOf(edit) } })
})
afterAll(() => server.remove())

interface Pages {
  readonly entries: readonly HistoryEntry[]
  readonly bytes: readonly number[]
  readonly firstPage: readonly HistoryEntry[]
}

/** Reads all pages, and returns the entries in the order of the events. */
async function pagesOf(reader: ApiClient, path: string): Promise<Pages> {
  const pages: HistoryEntry[][] = []
  const bytes: number[] = []
  for (let next: string | null = path; next !== null;) {
    const { text, headers, status } = await reader.get(next)
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
    pages.push(JSON.parse(text))
    bytes.push(Buffer.byteLength(text))
    next = nextPage(headers)
  }
  return { entries: pages.toReversed().flat(), bytes, firstPage: pages[0] ?? [] }
}

describe('The history of a post with many long edits', () => {
  it('comes in pages of at most 2 MB, newest events first; together they have all events, each with its text [S65]', async () => {
    const { entries, bytes, firstPage } = await pagesOf(caller, `/api/posts/${id}/history`)
    expect(entries.map(({ revision }) => revision)).toEqual(Array.from({ length: edits + 1 }, (_, at) => at))
    expect(entries.every(({ content, revision }) => content === textOf(revision))).toBe(true)
    expect(firstPage.at(-1)?.revision).toBe(edits)
    expect(bytes.length).toBeGreaterThan(5)
    expect(Math.max(...bytes)).toBeLessThanOrEqual(maxBytes)
  })

  it('is served to an auditor in the same pages', async () => {
    const { url } = await caller.callOrThrow('issueAuditorLink', {
      body: { label: 'An auditor', expiresAt: later(server.clock.now(), 86_400_000) },
    })
    const auditor = new ApiClient(server.url)
    const { entries, bytes } = await pagesOf(auditor, `/api/auditor/${url.split('/').at(-1)}/posts/${id}/history`)
    expect(entries.map(({ revision }) => revision)).toEqual(Array.from({ length: edits + 1 }, (_, at) => at))
    expect(Math.max(...bytes)).toBeLessThanOrEqual(maxBytes)
  })

  it('keeps its place when an edit is made between two pages', async () => {
    const first = await caller.get(`/api/posts/${id}/history`)
    await caller.callOrThrow('changePost', { params: { id }, body: { content: 'Short now' } })
    const [oldest] = JSON.parse(first.text) as readonly HistoryEntry[]
    const next = JSON.parse((await caller.get(nextPage(first.headers) ?? '')).text) as readonly HistoryEntry[]
    expect(next.at(-1)?.revision).toBe((oldest?.revision ?? 0) - 1)
  })

  it('is refused for the cursor of another post and for an invalid one', async () => {
    const { headers } = await caller.get(`/api/posts/${id}/history`)
    const cursor = new URL(nextPage(headers) ?? '', 'http://localhost').searchParams.get('cursor') ?? ''
    const other = Buffer.from(JSON.stringify(['0195a000-0000-7000-8000-000000000003', 5])).toString('base64url')
    for (const wrong of [other, 'nonsense', `${cursor}x`.slice(1)]) {
      expect(await caller.ask('getPostHistory', { params: { id }, query: { cursor: wrong } })).toMatchObject({
        status: 400,
        text: 'Cursor: Not from an earlier answer',
      })
    }
    const stranger = await owner(server)
    expect((await stranger.ask('getPostHistory', { params: { id }, query: { cursor } })).status).toBe(404)
  })

  it('has at most 200 events per page, however short they are', async () => {
    const other = await owner(server)
    const { clientId, accountId } = await brand(other)
    const short = await other.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'Version 0' },
    })
    const { id: userId } = await other.callOrThrow('getUser')
    const by = { actor: { type: 'user', id: userId }, agencyId: agencyIdOf(userId), correlationId: 'edits' } as const
    for (let edit = 1; edit <= 210; edit++)
      accepted(
        await server.commands.post(
          short.id,
          { type: 'ReviseContent', content: `Version ${edit}`, generation: null },
          by,
        ),
      )
    const { entries, firstPage } = await pagesOf(other, `/api/posts/${short.id}/history`)
    expect(firstPage).toHaveLength(200)
    expect(entries.map(({ content }) => content)).toEqual(Array.from({ length: 211 }, (_, at) => `Version ${at}`))
  })
})

describe('Other reads of such a post', () => {
  it('get short answers: the search, the delivery, the state at an instant', async () => {
    const { items } = await caller.callOrThrow('searchAudit', { query: { text: 'Short now' } })
    expect(items).toMatchObject([{ id, events: edits + 2 }])
    expect((await caller.ask('getPostDelivery', { params: { id } })).text.length).toBeLessThan(1_000)
    const at = server.clock.now()
    expect((await caller.callOrThrow('getPost', { params: { id }, query: { asOf: at } })).content).toBe('Short now')
  })

  it('export every event', async () => {
    const { text } = await caller.ask('exportAudit')
    const lines = text
      .split('\n')
      .filter((line) => line.includes(`"stream":"post-${id}"`) && line.includes('"kind":"event"'))
    expect(lines).toHaveLength(edits + 2)
  })
})
