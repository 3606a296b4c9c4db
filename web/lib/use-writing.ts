/** One request for texts at a time. It never changes what the user typed: the user takes a suggestion or leaves it. */
import { useEffect, useRef, useState } from 'react'
import { words } from './words.ts'
import { hearTexts, type Wish } from './write.ts'
import { after, begun, ended, isDone, type Suggestion } from './writing-events.ts'

export type Writing = ReturnType<typeof useWriting>

export function useWriting() {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  const [isWriting, setWriting] = useState(false)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  /** Answers the generated texts, none after a cancellation. @throws Error when none was generated */
  async function start(wish: Wish): Promise<readonly Extract<Suggestion, { state: 'done' }>[]> {
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    let all: readonly Suggestion[] = Array.from({ length: wish.variants ?? 1 }, () => begun)
    const show = (next: readonly Suggestion[]) => {
      all = next
      if (current.current === mine) setSuggestions(next)
    }
    show(all)
    setWriting(true)
    try {
      await hearTexts(wish, (event) => show(after(all, event)), mine.signal).catch((error: unknown) => {
        if (mine.signal.aborted || all.every(({ content }) => content === '')) throw error
      })
      show(ended(all, words.writingBroken))
      const [first] = all
      if (!all.some(isDone) && first?.state === 'failed') throw new Error(`503: ${first.sentence}`)
      return all.filter(isDone)
    } catch (error) {
      show(all.filter(isDone))
      if (mine.signal.aborted) return []
      throw error
    } finally {
      if (current.current === mine) {
        current.current = null
        setWriting(false)
      }
    }
  }

  return {
    suggestions,
    isWriting,
    start,
    cancel: () => current.current?.abort(),
    /** Forgets the suggestions. */
    clear: () => setSuggestions([]),
  }
}
