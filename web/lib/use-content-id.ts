import { useRef } from 'react'
import { newUuid } from './new-uuid.ts'

interface ContentId {
  /** The same id for the same content, so that sending it again creates nothing twice; another content gets another. */
  readonly of: (content: unknown) => string
  /** What was sent has arrived: the same content once more is a new thing. */
  readonly renew: () => void
}

/** The id of a new thing, which the page chooses and the server keeps. */
export function useContentId(): ContentId {
  const last = useRef({ content: '', id: '' })
  return {
    of: (content) => {
      const text = JSON.stringify(content)
      if (last.current.content !== text) last.current = { content: text, id: newUuid() }
      return last.current.id
    },
    renew: () => {
      last.current = { content: '', id: '' }
    },
  }
}
