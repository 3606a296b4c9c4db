/** Opens the files of a stopped embedded installation, or of its backup, to copy them to other stores. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedEventStore } from '../../domain/event-store/embedded.ts'
import { openMediaFolder } from '../features/media/folder.ts'
import { isHash } from '../features/media/port.ts'
import type { Origin } from '../operations/move/move.ts'
import { openRecordSource } from '../records/embedded-source.ts'
import { ConfigError } from '../runtime/config.ts'

/**
 * @param images the images to copy; default: all in the folder @throws ConfigError without a log and records,
 * StoreUnavailable while a server runs on the folder
 */
export async function openEmbeddedOrigin(
  dataDir: string,
  media = join(dataDir, 'media'),
  images: readonly string[] | null = null,
): Promise<Origin & { close(): Promise<void> }> {
  const [log, people] = [join(dataDir, 'events.db'), join(dataDir, 'records.db')]
  for (const file of [log, people])
    if (!(await stat(file).catch(() => null)))
      throw new ConfigError(`There is no ${file}. Set DATA_DIR to the folder of your data.`)
  const events = await openEmbeddedEventStore(log)
  try {
    const records = openRecordSource(people)
    return {
      events,
      records,
      media: await openMediaFolder(media),
      images: images ?? (await readdir(media)).filter(isHash),
      async close() {
        records.close()
        await events.close()
      },
    }
  } catch (error) {
    await events.close()
    throw error
  }
}
