/** Collections and positions for tests of read stores. */
import { randomUUID } from 'node:crypto'
import type { Position } from '../../../domain/core/event.ts'
import type { Indexes, ReadStore } from '../port.ts'

export async function newCollection(store: ReadStore, indexes: Indexes): Promise<string> {
  const name = `posts_${randomUUID().replaceAll('-', '')}`
  await store.ensure(name, indexes)
  return name
}

export function at(position: number): Position {
  return String(position).padStart(16, '0')
}
