/** Generated texts, in streams of their own as today, or in their client's stream as in older logs. */
import { v7 as uuidv7 } from 'uuid'
import type { Generation } from '../../domain/core/generation.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import { chainHashes } from '../../domain/event-store/chain.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { CommandContext } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import { clientStream } from '../core/load.ts'

/** All texts of a client, in the order in which they were recorded, wherever the log has them. */
export async function generationsOf(events: Pick<EventStore, 'readAll'>, clientId: string): Promise<Generation[]> {
  const found: Generation[] = []
  for await (const batch of events.readAll(null, { names: ['ContentGenerated'] }))
    for (const { data, metadata } of batch)
      if (metadata.clientId === clientId) found.push(data as unknown as Generation)
  return found
}

/** Records texts as earlier versions did: in the client's stream. */
export async function recordAsBefore(
  commands: Commands,
  clientId: string,
  by: CommandContext,
  texts: readonly Generation[],
): Promise<void> {
  const { head } = await commands.loadClient(clientId)
  const at = head.at ?? '2026-03-02T10:00:00.000Z'
  const facts = texts.map((data) => ({
    ...catalogue.encode({ type: 'ContentGenerated', data }),
    metadata: { ...by, eventId: uuidv7(), at, causationId: by.correlationId, schemaVersion: 1, clientId },
  }))
  const stream = clientStream(clientId)
  const chained = chainHashes(stream, head, facts)
  await commands.ports.events.append(stream, head.revision < 0 ? 'no-stream' : head.revision, chained)
}
