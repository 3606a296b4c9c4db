/**
 * The driver frees a statement with the garbage collector, which doesn't see the memory that SQLite has for it, some
 * 60 kB. A buffer of this size, kept as long as the statement, lets the collector run in time.
 */
const weights = new WeakMap<object, ArrayBuffer>()
const bytes = 65_536

export function weighed<T extends object>(statement: T): T {
  weights.set(statement, new ArrayBuffer(bytes))
  return statement
}
