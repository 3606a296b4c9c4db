/** Writing with a model, over real HTTP on both sides: what is answered when all is well, and when it isn't. */
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../caller.ts'
import type { SentBody, Routes } from '../contract/index.ts'
import { brand, owner, testServer, type TestServer } from '../testing.ts'
import { gate, post, startTestAi, tokensEach, usualText, type Act, type TestAi } from './openai-testing.ts'

let ai: TestAi
let server: TestServer
let caller: Caller
let clientId: string
const lines: string[] = []

beforeAll(async () => {
  ai = await startTestAi()
  const log = pino({ level: 'debug' }, { write: (text: string) => void lines.push(text) })
  server = await testServer({ ...ai.env, OPENAI_TIMEOUT_MS: '700' }, { log })
})
beforeEach(async () => {
  // An agency of its own for each, as they may only ask so often.
  caller = await owner(server)
  ;({ clientId } = await brand(caller, 'twitter'))
})
afterAll(async () => {
  await server.remove()
  await ai.close()
})

type Wanted = Partial<SentBody<Routes['generateContent']>>
const bodyOf = (wanted: Wanted = {}) => ({ clientId, platform: 'twitter', topic: 'Autumn breads', ...wanted })
const generate = (wanted: Wanted = {}) => caller.ask('generateContent', { body: bodyOf(wanted) })
const recorded = async () => Object.values((await server.handler.loadClient(clientId)).state.generations)

/** Reads events as they come. */
async function* listen(wanted: Wanted = {}, signal: AbortSignal | null = null) {
  const response = await fetch(`${server.url}/api/generate-content`, {
    method: 'POST',
    headers: { Cookie: caller.cookie, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(bodyOf(wanted)),
    signal,
  })
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let text = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      if (event !== '') yield { event, ...(JSON.parse(data) as { index: number; text?: string; content?: string; sentence?: string; generationId?: string }) }
      text = text.slice(end + 2)
    }
  }
}
async function allOf<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of events) all.push(each)
  return all
}
const heard = (wanted: Wanted = {}) => allOf(listen(wanted))
const toldOf = (events: Awaited<ReturnType<typeof heard>>, index = 0) => events.filter((each) => each.event === 'delta' && each.index === index).map(({ text }) => text).join('')

const long = post('Very long. '.repeat(40))
const linked = post('Read it all on https://evil.example/now')

/** What the model does, and what the person is told. */
const failures: readonly (readonly [string, readonly Act[], RegExp])[] = [
  ['declines', [{ does: 'refuse' }], /^The AI declined to write this\. Nothing you typed is lost\./],
  ['is stopped by its filter', [{ does: 'answer', text: '', finish: 'content_filter' }], /^The AI declined/],
  ['has too much to do', [{ does: 'fail', status: 429, headers: { 'Retry-After': '20' } }], /too much to do right now\. .*Try again in 20 seconds\.$/],
  ['has no credit left', [{ does: 'fail', status: 429, error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }], /credit is used up/],
  ['has trouble', [{ does: 'fail', status: 500 }], /trouble of its own/],
  ['does not know the model', [{ does: 'fail', status: 404, error: { code: 'model_not_found' } }], /doesn't know the model/],
  ['never answers', [{ does: 'wait' }], /took too long/],
  ['is cut off in the middle', [{ does: 'cut', text: post(usualText), how: 'reset' }], /broke off|can't be reached/],
  ['answers what is no JSON, twice', [{ does: 'answer', text: 'Hello' }, { does: 'answer', text: '{"content": ' }], /can't be read as a post, twice/],
  ['writes too much, twice', [{ does: 'answer', text: long }, { does: 'answer', text: long }], /more than the 280 characters that X takes, twice/],
  ['writes nothing, twice', [{ does: 'answer', text: post(' ') }, { does: 'answer', text: '{"content":""}' }], /wrote nothing, twice/],
  ['invents a link, twice', [{ does: 'answer', text: linked }, { does: 'answer', text: linked }], /what nobody told it: “https:\/\/evil\.example\/now”/],
  ['invents a price, twice', [{ does: 'answer', text: post('Only $5!') }, { does: 'answer', text: post('Only $4!') }], /“\$4”/],
]

describe('with a model', () => {
  it('answers its text, who wrote it, and what it is recorded as', async () => {
    const told = JSON.parse((await generate()).text) as { generationId: string }
    expect(told).toEqual({ content: usualText, source: 'openai', generationId: told.generationId })
    expect(await recorded()).toMatchObject([{ writer: 'openai', model: 'gpt-test', topic: 'Autumn breads', tone: 'professional' }])
    expect(ai.asked.at(-1)).toMatchObject({ model: 'gpt-test', response_format: { type: 'json_schema' } })
  })

  it.each([
    ['no JSON', 'Hello'],
    ['too much', long],
    ['nothing', post('')],
    ['a link that nobody named', linked],
  ])('that answers %s is told so once, and its second answer counts', async (_, text) => {
    ai.next({ does: 'answer', text })
    expect(JSON.parse((await generate()).text)).toMatchObject({ content: usualText })
    expect(ai.asked.at(-1)?.messages).toHaveLength(4)
    expect(ai.asked.at(-1)?.messages[3]?.content).toMatch(/^That can't be used: /)
    const [month] = (await caller.tell('getUsage')).months
    expect(month).toMatchObject({ texts: 1, tokens: 2 * tokensEach })
  })

  it('may use what the client, the topic or the text itself names', async () => {
    const named = 'See https://bluecup.coffee, from $5'
    ai.next({ does: 'answer', text: post(named) }, { does: 'answer', text: post(named) })
    expect((await generate({ topic: 'https://bluecup.coffee from $5' })).status).toBe(200)
    expect((await generate({ topic: '', rewrite: { text: `${named}. Come in!`, how: 'shorter' } })).status).toBe(200)
    expect(await recorded()).toMatchObject([{}, { topic: 'rewrite: shorter' }])
  })

  it('of an older server, which takes no fixed form, is asked without', async () => {
    const old = await startTestAi()
    old.old = true
    const its = await testServer(old.env)
    const somebody = await owner(its)
    const { clientId: theirs } = await brand(somebody)
    const body = { clientId: theirs, platform: 'facebook' as const, topic: 'Bread' }
    for (let round = 0; round < 2; round++) expect((await somebody.tell('generateContent', { body })).content).toBe(usualText)
    // Found out once, remembered from then on.
    expect(old.asked.map((question) => 'response_format' in question)).toEqual([true, false, false])
    await its.remove()
    await old.close()
  })

  it.each(failures)('that %s: says so, and records nothing', async (_, acts, sentence) => {
    ai.next(...acts)
    const { status, text, headers } = await generate()
    expect({ status, text }).toEqual({ status: 503, text: expect.stringMatching(sentence) })
    expect(headers.get('retry-after')).toBe(text.includes('20 seconds') ? '20' : null)
    expect(await recorded()).toEqual([])
  })

  it('that does not take the key: says who can help; the key is in no answer and in no line of the log', async () => {
    const wrong = await testServer({ ...ai.env, OPENAI_API_KEY: 'sk-wrong-0a1b2c3d4e5f' }, { log: pino({ level: 'debug' }, { write: (text: string) => void lines.push(text) }) })
    const somebody = await owner(wrong)
    const { clientId: theirs } = await brand(somebody)
    const { status, text } = await somebody.ask('generateContent', { body: { clientId: theirs, platform: 'facebook', topic: 'Bread' } })
    expect({ status, text }).toEqual({ status: 503, text: "The AI service doesn't accept this server's key. Nothing you typed is lost. Please tell whoever runs this server." })
    await wrong.remove()
    expect(lines.join('')).toContain('answered 401, invalid_api_key')
    for (const key of ['sk-wrong-0a1b2c3d4e5f', ai.key]) expect(lines.join('')).not.toContain(key)
  })

  it('is given up when nobody waits any more, and records nothing', async () => {
    ai.next({ does: 'wait' })
    const before = { asked: ai.asked.length, abandoned: ai.abandoned() }
    const leave = new AbortController()
    const asked = fetch(`${server.url}/api/generate-content`, {
      method: 'POST',
      headers: { Cookie: caller.cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify(bodyOf()),
      signal: leave.signal,
    }).catch(() => 'left')
    await expect.poll(() => ai.asked.length).toBe(before.asked + 1)
    leave.abort()
    expect(await asked).toBe('left')
    await expect.poll(() => ai.abandoned()).toBe(before.abandoned + 1)
    expect(await recorded()).toEqual([])
  })

  it('writes several to choose from, each recorded, each counted against what an agency may ask', async () => {
    ai.next(...['One.', 'Two.', 'Three.'].map((text): Act => ({ does: 'answer', text: post(text) })))
    const told = await caller.tell('generateContent', { body: { clientId, platform: 'twitter', topic: 'Bread', variants: 3 } })
    expect([told, ...(told.others ?? [])].map(({ content }) => content).sort()).toEqual(['One.', 'Three.', 'Two.'])
    expect(await recorded()).toHaveLength(3)
    for (let round = 0; round < 9; round++) expect((await generate({ variants: 3 })).status).toBe(200)
    expect(await generate()).toMatchObject({ status: 429 })
  })

  it('of several, one that fails takes no other along', async () => {
    ai.next({ does: 'answer', text: post('One.') }, { does: 'refuse' })
    const { text, status } = await generate({ variants: 2 })
    expect({ status, told: JSON.parse(text) as unknown }).toMatchObject({ status: 200, told: { content: 'One.' } })
    expect(await recorded()).toHaveLength(1)
  })
})

describe('as it is written', () => {
  it('the first characters are told while the model still holds the rest', async () => {
    const { until, open } = gate()
    ai.next({ does: 'hold', text: post(usualText), first: 6, until })
    const events = listen()
    const first = await events.next()
    expect(first.value).toMatchObject({ event: 'delta', index: 0 })
    expect(usualText.startsWith(String(first.value?.text))).toBe(true)
    expect(await recorded()).toEqual([])
    open()
    const rest = [first.value ?? { event: '', index: 0 }, ...(await allOf(events))]
    expect(toldOf(rest)).toBe(usualText)
    expect(rest.at(-1)).toMatchObject({ event: 'done', index: 0, content: usualText, source: 'openai' })
    expect(await recorded()).toHaveLength(1)
    expect(ai.asked.at(-1)).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect((await caller.tell('getUsage')).months[0]).toMatchObject({ tokens: tokensEach })
  })

  it('a first answer that can not be used is taken back', async () => {
    ai.next({ does: 'answer', text: linked })
    const events = await heard()
    const again = events.findIndex(({ event }) => event === 'again')
    expect(toldOf(events.slice(0, again))).toContain('evil.example')
    expect(toldOf(events.slice(again))).toBe(usualText)
    expect(events.at(-1)).toMatchObject({ event: 'done', content: usualText })
  })

  it('a server that does not stream is heard all the same', async () => {
    ai.next({ does: 'whole', text: post('At once.') })
    expect(await heard()).toMatchObject([{ event: 'done', content: 'At once.' }])
  })

  it.each(failures)('that %s: says so, and records nothing', async (_, acts, sentence) => {
    ai.next(...acts)
    const told = await heard().then((events) => events.at(-1)?.sentence ?? '', (error: unknown) => String(error).replace('Error: 503: ', ''))
    expect(told).toMatch(sentence)
    expect(await recorded()).toEqual([])
  })

  it('a stream that ends too early, if politely, is no text', async () => {
    ai.next({ does: 'cut', text: post(usualText), how: 'end' })
    const events = await heard()
    expect(toldOf(events)).not.toBe('')
    expect(events.at(-1)).toMatchObject({ event: 'failed', sentence: expect.stringContaining('broke off') })
    expect(await recorded()).toEqual([])
  })

  it('what fails before anything was told is an answer like any other', async () => {
    ai.next({ does: 'fail', status: 500 })
    await expect(heard()).rejects.toThrow(/^503: The AI service has trouble/)
    await expect(heard({ topic: '' })).rejects.toThrow('400: Topic: Required')
  })

  it('is given up when nobody listens any more, and records nothing', async () => {
    const { until, open } = gate()
    ai.next({ does: 'hold', text: post(usualText), first: 6, until })
    const before = ai.abandoned()
    const leave = new AbortController()
    const events = listen({}, leave.signal)
    await events.next()
    leave.abort()
    await expect(allOf(events)).rejects.toThrow()
    await expect.poll(() => ai.abandoned()).toBe(before + 1)
    open()
    expect(await recorded()).toEqual([])
  })

  it('of several, each is told by its number, also one that fails', async () => {
    ai.next({ does: 'answer', text: post('One.') }, { does: 'refuse' }, { does: 'answer', text: post('Three.') })
    const events = await heard({ variants: 3 })
    const ends = events.filter(({ event }) => event === 'done' || event === 'failed')
    expect(ends.map(({ index }) => index).sort()).toEqual([0, 1, 2])
    expect(ends.map(({ event }) => event).sort()).toEqual(['done', 'done', 'failed'])
    for (const { index, content } of ends.filter(({ event }) => event === 'done')) expect(toldOf(events, index)).toBe(content)
    expect(await recorded()).toHaveLength(2)
  })
})
