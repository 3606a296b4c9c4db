/** Finds the provenance of a text about to be saved, in logs of any age. */
import type { Generated } from '../../../domain/core/provenance.ts'
import { provenanceOf } from '../../../domain/generation/decider.ts'
import type { Commands } from '../../core/commands.ts'
import type { Loads } from '../../core/load.ts'

export interface SavedText {
  readonly agencyId: string
  readonly clientId: string
  readonly generationId: string
  readonly content: string
}

/** Null when the client has no such generation. */
export async function provenanceIn(
  commands: Pick<Commands, 'loadGeneration' | 'loadClient'>,
  { agencyId, clientId, generationId, content }: SavedText,
  from?: Loads,
): Promise<Generated | null> {
  const { state, head } = await commands.loadGeneration(generationId, from)
  // The id comes from a request: a text of another agency or client must look like none.
  if (state) return head.agencyId === agencyId && head.clientId === clientId ? provenanceOf(state, content) : null
  const { state: client } = await commands.loadClient(clientId, from)
  return client.generations.provenanceOf(generationId, content)
}
