/** Of an entry in a list or in an object. */
const weightOfOne = 80

/** The approximate size of a document as JSON, in characters; tombstones and short fields hardly count. */
export function weightOf(doc: object | null): number {
  let weight = 100
  for (const value of Object.values(doc ?? {}))
    if (typeof value === 'string') weight += value.length
    else if (typeof value === 'object' && value !== null) weight += weightOfOne * Object.keys(value).length
  return weight
}
