/** A writer that sends the events of a text when the test says so. */
import { writingEvents } from '../../api/contract/generate.ts'
import type { WritingEvent } from '../../api/contract/index.ts'
import { stream, type FakeApi } from './fake-api.ts'

export interface FakeWriter {
  /** Sends one event of the text that is being written. @throws ZodError for an event that the contract forbids */
  readonly tell: (event: WritingEvent) => void
  /** Sends a whole text. */
  readonly finish: (content: string, index?: number) => void
  /** Ends the answer. */
  readonly end: () => void
  /** Whether the web closed the connection. */
  readonly isAbandoned: () => boolean
}

export const generationId = '0190a000-0000-7000-8000-aaaaaaaaaaaa'

/** Answers each wish for a text with a stream that stays open. */
export function fakeWriter(api: FakeApi): FakeWriter {
  const encoder = new TextEncoder()
  let current: ReadableStreamDefaultController<Uint8Array> | null = null
  let isAbandoned = false
  api.on('generateContent', () =>
    stream(
      new ReadableStream({
        start: (controller) => {
          current = controller
        },
        cancel: () => {
          isAbandoned = true
        },
      }),
    ),
  )
  const tell = ({ event, ...data }: WritingEvent) => {
    const checked = writingEvents[event].parse(data)
    current?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(checked)}\n\n`))
  }
  const end = () => current?.close()
  return {
    tell,
    finish: (content, index = 0) => tell({ event: 'done', index, content, generationId, source: 'openai' }),
    end,
    isAbandoned: () => isAbandoned,
  }
}
