/**
 * Ensures that only one process rebuilds a projection, across machines: two would delete each other's half-built
 * documents.
 */
import { randomUUID } from 'node:crypto'
import { RebuildUnderWay } from '../../../projections/core/beside.ts'
import { pause } from '../../../projections/core/pause.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { leaseMs } from '../../records/leases.ts'

interface Build {
  readonly id: string
  readonly holder: string
  /** Changes with each renewal: a lease whose beat stays the same for its lifetime has expired. */
  readonly beat: string
}

interface Options {
  /** Called when another process took over, because this one was paused for too long. */
  readonly onLost: () => void
  readonly lifeMs?: number
}

/** @throws RebuildUnderWay before the work begins, when another process rebuilds one of them */
export async function buildingAlone<T>(
  records: Records,
  names: readonly string[],
  work: () => Promise<T>,
  { onLost, lifeMs = leaseMs }: Options,
): Promise<T> {
  const table = await records.table<Build>({ table: 'builds' })
  const holder = randomUUID()
  const held: string[] = []
  const over = new AbortController()
  const beating = async () => {
    for (; !over.signal.aborted; await pause(lifeMs / 4, over.signal)) {
      // The rebuild itself will meet an unavailable store.
      const renewed: readonly boolean[] = await Promise.all(
        held.map((name) => renew(table, { id: name, holder, beat: randomUUID() })),
      ).catch(() => [])
      if (renewed.includes(false)) return onLost()
    }
  }
  let beats: Promise<void> | null = null
  try {
    for (const name of names) {
      await take(table, { id: name, holder, beat: randomUUID() }, lifeMs)
      held.push(name)
      beats ??= beating()
    }
    return await work()
  } finally {
    over.abort()
    await beats
    for (const name of held) {
      const found = await table.get(name)
      if (found?.record.holder === holder) await table.remove(name, found.version)
    }
  }
}

async function take(table: RecordTable<Build>, mine: Build, lifeMs: number): Promise<void> {
  const found = await table.get(mine.id)
  if (!found && (await table.insert(mine))) return
  if (found) {
    await pause(lifeMs)
    if (await table.replace(mine, found.version)) return
  }
  throw new RebuildUnderWay(
    `The projection ${mine.id} is being rebuilt or verified by another command. Wait until that is done, then try again.`,
  )
}

async function renew(table: RecordTable<Build>, mine: Build): Promise<boolean> {
  const found = await table.get(mine.id)
  return found?.record.holder === mine.holder && table.replace(mine, found.version)
}
