import type { Generated } from '../core/provenance.ts'

/** The provenance fields of the events. */
export function generatedAs(generation: Generated | null) {
  if (!generation) return { generationId: null }
  const { generationId, ...provenance } = generation
  return { generationId, provenance }
}
