/** The texts that were generated for a client: where each came from, and whether what is saved is still the same. */
import { createHash } from 'node:crypto'
import type { Generated } from '../core/provenance.ts'
import type { Generation } from './commands.ts'

export type RememberedText = Pick<Generation, 'writer' | 'model' | 'topic' | 'tone'> & { readonly textHash: string }

const hashOf = (text: string) => createHash('sha256').update(text.trim()).digest('base64')

export const remembered = ({ writer, model, topic, tone, content }: Generation): RememberedText => ({
  writer,
  model,
  topic,
  tone,
  textHash: hashOf(content),
})

/** Where a text that is about to be saved comes from. Null when the client has no such generation. */
export function provenanceOf(
  { generations }: { readonly generations: Readonly<Record<string, RememberedText>> },
  generationId: string,
  content: string,
): Generated | null {
  const known = generations[generationId]
  if (!known) return null
  const { textHash, ...from } = known
  return { generationId, ...from, edited: hashOf(content) !== textHash }
}
