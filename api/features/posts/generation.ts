import { provenanceOf } from '../../../domain/client/generations.ts'
import type { Generated } from '../../../domain/core/provenance.ts'
import type { Commands } from '../../core/commands.ts'
import type { OfAgency } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import type { Saved } from './change-command.ts'

/** What a request has for loading aggregates. */
export type Loading = Pick<OfAgency, 'loadAgency' | 'aggregates'>

/** The generation of a text; null for a text written by a user. */
export async function generationOf(
  commands: Commands,
  clientId: string,
  { generationId, content }: Saved,
  { aggregates }: Loading,
): Promise<Generated | null> {
  if (generationId === null) return null
  const { state } = await commands.loadClient(clientId, aggregates)
  const generation = provenanceOf(state, generationId, content)
  if (!generation) throw notFound('This generated text')
  return generation
}
