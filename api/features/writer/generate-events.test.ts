/** Streaming a generated text, over real HTTP on both sides. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gate } from '../../../domain/test/gate.ts'
import { post, tokensEach, usualText, type TestAi } from './test/fake-openai.ts'
import { failures, linked, openWriterStage, type Asking, type Wanted, type WriterStage } from './test/helpers.ts'

let stage: WriterStage
let ai: TestAi
let asking: Asking

beforeAll(async () => {
  stage = await openWriterStage()
  ai = stage.ai
})
beforeEach(async () => {
  ai.forget()
  asking = await stage.enter()
})
afterAll(() => stage.close())

/** Reads server-sent events as they arrive. */
async function* listen(wanted: Wanted = {}, signal: AbortSignal | null = null) {
  const response = await fetch(`${asking.url}/api/generate-content`, {
    method: 'POST',
    headers: { Cookie: asking.caller.cookie, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(asking.bodyOf(wanted)),
    signal,
  })
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let text = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      if (event !== '')
        yield {
          event,
          ...(JSON.parse(data) as {
            index: number
            text?: string
            content?: string
            sentence?: string
            generationId?: string
          }),
        }
      text = text.slice(end + 2)
    }
  }
}
async function allOf<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of events) all.push(each)
  return all
}
const generate = (wanted: Wanted = {}) => allOf(listen(wanted))
const eventsOf = (events: Awaited<ReturnType<typeof generate>>, index = 0) =>
  events
    .filter((each) => each.event === 'delta' && each.index === index)
    .map(({ text }) => text)
    .join('')

describe('streaming a text', () => {
  it('sends the first characters while the model still holds back the rest', async () => {
    const { until, open } = gate()
    ai.next({ does: 'hold', text: post(usualText), first: 6, until })
    const events = listen()
    const first = await events.next()
    expect(first.value).toMatchObject({ event: 'delta', index: 0 })
    expect(usualText.startsWith(String(first.value?.text))).toBe(true)
    expect(await asking.recorded()).toEqual([])
    open()
    const rest = [first.value ?? { event: '', index: 0 }, ...(await allOf(events))]
    expect(eventsOf(rest)).toBe(usualText)
    expect(rest.at(-1)).toMatchObject({ event: 'done', index: 0, content: usualText, source: 'openai' })
    expect(await asking.recorded()).toHaveLength(1)
    expect(ai.asked.at(-1)).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect((await asking.caller.callOrThrow('getUsage')).months[0]).toMatchObject({ tokens: tokensEach })
  })

  it('withdraws a first answer that cannot be used', async () => {
    ai.next({ does: 'answer', text: linked })
    const events = await generate()
    const again = events.findIndex(({ event }) => event === 'again')
    expect(eventsOf(events.slice(0, again))).toContain('evil.example')
    expect(eventsOf(events.slice(again))).toBe(usualText)
    expect(events.at(-1)).toMatchObject({ event: 'done', content: usualText })
  })

  it('works with a model server that does not stream', async () => {
    ai.next({ does: 'whole', text: post('At once.') })
    expect(await generate()).toMatchObject([{ event: 'done', content: 'At once.' }])
  })

  it.each(failures)('from a model that %s reports the error, and records nothing', async (_, acts, sentence) => {
    ai.next(...acts)
    const output = await generate().then(
      (events) => events.at(-1)?.sentence ?? '',
      (error: unknown) => String(error).replace('Error: 503: ', ''),
    )
    expect(output).toMatch(sentence)
    expect(await asking.recorded()).toEqual([])
  })

  it('from a model that never answers reports the timeout, and records nothing', { tags: 'long' }, async () => {
    const impatient = await stage.impatient()
    asking = await stage.enter(impatient)
    ai.next({ does: 'wait' })
    await expect(generate()).rejects.toThrow(/^503: .*took too long/)
    expect(await asking.recorded()).toEqual([])
    await impatient.remove()
  })

  it('from a stream that ends early, even cleanly, yields no text', async () => {
    ai.next({ does: 'cut', text: post(usualText), how: 'end' })
    const events = await generate()
    expect(eventsOf(events)).not.toBe('')
    expect(events.at(-1)).toMatchObject({ event: 'failed', sentence: expect.stringContaining('broke off') })
    expect(await asking.recorded()).toEqual([])
  })

  it('that fails before the first character gets an ordinary error answer', async () => {
    ai.next({ does: 'fail', status: 500 })
    await expect(generate()).rejects.toThrow(/^503: The AI service has trouble/)
    await expect(generate({ topic: '' })).rejects.toThrow('400: Topic: Required')
  })

  it('is cancelled when the client disconnects, and records nothing', async () => {
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
    expect(await asking.recorded()).toEqual([])
  })

  it('in several variants numbers each of them, including one that fails', async () => {
    ai.next({ does: 'answer', text: post('One.') }, { does: 'refuse' }, { does: 'answer', text: post('Three.') })
    const events = await generate({ variants: 3 })
    const ends = events.filter(({ event }) => event === 'done' || event === 'failed')
    expect(ends.map(({ index }) => index).sort()).toEqual([0, 1, 2])
    expect(ends.map(({ event }) => event).sort()).toEqual(['done', 'done', 'failed'])
    for (const { index, content } of ends.filter(({ event }) => event === 'done'))
      expect(eventsOf(events, index)).toBe(content)
    expect(await asking.recorded()).toHaveLength(2)
  })
})
