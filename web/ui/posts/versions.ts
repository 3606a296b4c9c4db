/** The texts that a post has had, and when and how each came to be. */
import type { HistoryEntry } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { historyWords } from './history-words.ts'

export interface Version {
  readonly id: string
  readonly label: string
  readonly content: string
}

/**
 * The oldest first; an event that left the text as it was makes none. They are numbered where the first of all is
 * among them.
 */
export function versionsOf(history: readonly HistoryEntry[], zone: string): readonly Version[] {
  return history
    .filter(({ content }, index) => index === 0 || content !== history[index - 1]?.content)
    .map((entry, index) => ({
      id: String(entry.revision),
      label: `${history[0]?.revision === 0 ? `${index + 1}. ` : ''}${historyWords(entry, zone)}, ${formatDateTime(entry.at, zone)}`,
      content: entry.content,
    }))
}
