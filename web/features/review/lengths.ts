/** How long names and words may be, as the server counts them. */
import { hasVisible, maxReviewerName, maxReviewNote } from '../../../api/contract/limits.ts'
import { words } from './words.ts'

export const isLongName = (name: string) => name.trim().length > maxReviewerName
export const isLongNote = (note: string) => note.trim().length > maxReviewNote

export function nameProblem(name: string): string | undefined {
  if (isLongName(name)) return words.nameTooLong(maxReviewerName)
  return hasVisible(name) ? undefined : words.nameMissing
}

export function noteProblem(note: string, required: boolean): string | undefined {
  if (isLongNote(note)) return words.noteTooLong(note.trim().length, maxReviewNote)
  return required && !hasVisible(note) ? words.noteMissing : undefined
}

export const noteUsed = (note: string) => words.used(note.trim().length, maxReviewNote)
