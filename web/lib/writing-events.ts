/** Texts as they come about: what is told of each, from the pieces in which it arrives. Pure. */
import type { EventSourceMessage } from 'eventsource-parser'
import type { Reply, Routes, WritingEvent } from '../../api/contract/index.ts'

export type Written = Omit<Reply<Routes['generateContent']>, 'others'>

export type Suggestion =
  | { readonly state: 'writing'; readonly content: string }
  | { readonly state: 'done'; readonly content: string; readonly written: Written }
  | { readonly state: 'failed'; readonly content: string; readonly sentence: string }

export const begun: Suggestion = { state: 'writing', content: '' }

/** The suggestions after one more event. */
export const after = (all: readonly Suggestion[], writingEvent: WritingEvent): readonly Suggestion[] =>
  all.map((suggestion, index) => (index === writingEvent.index ? changed(suggestion, writingEvent) : suggestion))

function changed({ content }: Suggestion, writingEvent: WritingEvent): Suggestion {
  switch (writingEvent.event) {
    case 'delta':
      return { state: 'writing', content: content + writingEvent.text }
    case 'again':
      return begun
    case 'done': {
      const { content, source, generationId } = writingEvent
      return { state: 'done', content, written: { content, source, generationId } }
    }
    case 'failed':
      return { state: 'failed', content: '', sentence: writingEvent.sentence }
  }
}

export const isDone = (suggestion: Suggestion): suggestion is Extract<Suggestion, { state: 'done' }> =>
  suggestion.state === 'done'

/** A text without an end event was not completed. */
export const ended = (all: readonly Suggestion[], sentence: string): readonly Suggestion[] =>
  all.map((suggestion) => (suggestion.state === 'writing' ? { state: 'failed', content: '', sentence } : suggestion))

/**
 * Reads a server-sent event by the contract's type: the server built it by that schema, so it isn't validated again.
 */
export const writingEventOf = ({ event, data }: EventSourceMessage): WritingEvent =>
  ({ event, ...(JSON.parse(data) as object) }) as WritingEvent
