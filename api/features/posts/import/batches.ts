/** Characters of text judged without a break: at most 10 ms of work (measured on Node 20.20). */
const maxLength = 16_384
const maxItems = 50

/**
 * Splits items into batches short enough not to block the event loop: at most `maxCount` items, and at most 16,384
 * characters unless a single item has more.
 */
export function* batchesOf<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  maxCount = maxItems,
): Generator<readonly Item[]> {
  let batch: Item[] = []
  let length = 0
  for (const item of items) {
    const itsLength = lengthOf(item)
    if (batch.length > 0 && (batch.length >= maxCount || length + itsLength > maxLength)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(item)
    length += itsLength
  }
  if (batch.length > 0) yield batch
}
