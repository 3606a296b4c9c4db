import type { Generated } from '../../../domain/core/provenance.ts'
import type { Commands } from '../../core/commands.ts'
import type { OfAgency } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { provenanceIn } from '../writer/provenance.ts'
import type { Saved } from './change-command.ts'

/** The generation of a text; null for a text written by a user. */
export async function generationOf(
  commands: Commands,
  clientId: string,
  { generationId, content }: Saved,
  { agencyId, aggregates }: Pick<OfAgency, 'agencyId' | 'aggregates'>,
): Promise<Generated | null> {
  if (generationId === null) return null
  const generation = await provenanceIn(commands, { agencyId, clientId, generationId, content }, aggregates)
  if (!generation) throw notFound('This generated text')
  return generation
}
