/** Texts that no store keeps as they are: refused at the door, whatever field they come in. */
import { isStorable } from '../../domain/core/values.ts'

/** Where such a text is, as a value or as a name; null where there is none. */
export function unstorableIn(value: unknown, path: readonly string[] = []): readonly string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, each] of Object.entries(value)) {
    const found = isStorable(name) ? unstorableIn(each, [...path, name]) : path
    if (found) return found
  }
  return null
}
