/** The texts generated for a client: the provenance of each, and whether the saved text is unchanged. */
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

/** The provenance of a text about to be saved. Null when the client has no such generation. */
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
