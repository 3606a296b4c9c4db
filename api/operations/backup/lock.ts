/** A lock in a folder, which the system drops with the process, also with a killed one. */
import { join } from 'node:path'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'

/**
 * The numbers of processes don't tell: that of a container is always 1. @returns what releases it; null while another
 * process, or this one, holds it
 */
export function lockIn(folder: string): (() => void) | null {
  try {
    const lock = new SqliteFile(join(folder, 'lock.db'), { synchronous: 'NORMAL' })
    return () => lock.close()
  } catch (error) {
    if (error instanceof StoreUnavailable && /is already running/.test(error.message)) return null
    throw error
  }
}
