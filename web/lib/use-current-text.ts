import { useSyncExternalStore } from 'react'
import { callWords } from './call-words.ts'
import { connection } from './connection.ts'

/** The text of an error; null for that of a lost connection once the server answers again. */
export function useCurrentText(text: string | null): string | null {
  const isAway = useSyncExternalStore(connection.subscribe, connection.isAway)
  return text === callWords.unreachable && !isAway ? null : text
}
