/** Exponential backoff: the wait after a number of failures in a row. */
const maxDoublings = 30

/**
 * @param failures in a row, 1 for the first
 * @returns milliseconds: `firstMs`, doubled with each further failure, at most `longestMs`
 */
export const backoffMs = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(Math.max(0, failures - 1), maxDoublings), longestMs)
