/** Rejects texts that no store keeps unchanged, in any field of a request. */
import { isStorable } from '../../domain/core/values.ts'

/** The path of such a text, as a value or a key; null without one. */
export function unstorableIn(value: unknown, path: readonly string[] = []): readonly string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, each] of Object.entries(value)) {
    const found = isStorable(name) ? unstorableIn(each, [...path, name]) : path
    if (found) return found
  }
  return null
}
