/** The approximate size of a document as JSON, in characters; tombstones and short fields hardly count. */
export function weightOf(doc: object | null): number {
  let weight = 100
  for (const value of Object.values(doc ?? {})) if (typeof value === 'string') weight += value.length
  return weight
}
