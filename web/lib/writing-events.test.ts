import { createParser } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import type { WritingEvent } from '../../api/contract/index.ts'
import { after, begun, ended, writingEventOf } from './writing-events.ts'

const block = ({ event, ...data }: WritingEvent) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const events: readonly WritingEvent[] = [
  { event: 'delta', index: 1, text: 'Wrong' },
  { event: 'delta', index: 0, text: 'Fresh\n\n' },
  { event: 'again', index: 1 },
  { event: 'delta', index: 0, text: 'bread' },
  { event: 'failed', index: 1, sentence: 'It went wrong.' },
  { event: 'done', index: 0, content: 'Fresh\n\nbread.', source: 'openai', generationId: 'g' },
]

describe('texts that arrive as events', () => {
  it('are the same for any chunk size', () => {
    const sent = `: still here\n\n${events.map(block).join('')}`
    for (const size of [1, 7, 1000]) {
      const writingEvent: WritingEvent[] = []
      const parser = createParser({ onEvent: (message) => writingEvent.push(writingEventOf(message)) })
      for (let at = 0; at < sent.length; at += size) parser.feed(sent.slice(at, at + size))
      expect(writingEvent).toEqual(events)
    }
  })

  it('grow, start again, fail and end independently', () => {
    const states = events.map((_, count) => events.slice(0, count + 1).reduce(after, [begun, begun]))
    expect(states[1]).toEqual([
      { state: 'writing', content: 'Fresh\n\n' },
      { state: 'writing', content: 'Wrong' },
    ])
    expect(states[2]?.[1]).toEqual(begun)
    expect(states.at(-1)).toEqual([
      {
        state: 'done',
        content: 'Fresh\n\nbread.',
        written: { content: 'Fresh\n\nbread.', source: 'openai', generationId: 'g' },
      },
      { state: 'failed', content: '', sentence: 'It went wrong.' },
    ])
  })

  it('fail when the stream ends before they do', () => {
    expect(ended([begun], 'It broke off.')).toEqual([{ state: 'failed', content: '', sentence: 'It broke off.' }])
  })
})
