/**
 * The texts generated for a client in older logs, which have them in the client's stream: the provenance of each, and
 * whether the saved text is unchanged. Newer texts have streams of their own.
 */
import { createHash } from 'node:crypto'
import type { Generation } from '../core/generation.ts'
import type { Generated } from '../core/provenance.ts'

type RememberedText = Pick<Generation, 'generationId' | 'writer' | 'model' | 'topic' | 'tone'> & {
  readonly textHash: string
}

const hashOf = (text: string) => createHash('sha256').update(text.trim()).digest('base64')

const remembered = ({ generationId, writer, model, topic, tone, content }: Generation): RememberedText => ({
  generationId,
  writer,
  model,
  topic,
  tone,
  textHash: hashOf(content),
})

/** An object, its fields, its hash and its entry in the index. */
const bytesOfEntry = 400
const bytesOf = ({ topic, tone }: RememberedText) => bytesOfEntry + 2 * (topic.length + tone.length)

/**
 * An immutable list of texts, found by id. The lists of one stream share their entries: each has those up to its own
 * length, so that a fold of n texts takes n steps instead of copying all earlier texts with each event.
 */
export class OlderGenerations {
  static readonly none = new OlderGenerations([], new Map(), 0, 0)
  readonly #texts: RememberedText[]
  readonly #places: Map<string, number>

  private constructor(
    texts: RememberedText[],
    places: Map<string, number>,
    readonly size: number,
    /** About the memory of all texts. */
    readonly bytesInMemory: number,
  ) {
    this.#texts = texts
    this.#places = places
  }

  get(generationId: string): RememberedText | null {
    const place = this.#places.get(generationId) ?? this.size
    return place < this.size ? (this.#texts[place] ?? null) : null
  }

  with(generation: Generation): OlderGenerations {
    const text = remembered(generation)
    // Only the longest list may grow in place, and the empty one is shared by all clients.
    const isLongest = this.size > 0 && this.#texts.length === this.size && !this.#places.has(text.generationId)
    const texts = isLongest ? this.#texts : this.#texts.slice(0, this.size)
    const places = isLongest ? this.#places : new Map(texts.map((each, place) => [each.generationId, place]))
    places.set(text.generationId, texts.push(text) - 1)
    return new OlderGenerations(texts, places, texts.length, this.bytesInMemory + bytesOf(text))
  }

  /** The provenance of a text about to be saved. Null when the client's stream has no such generation. */
  provenanceOf(generationId: string, content: string): Generated | null {
    const known = this.get(generationId)
    if (!known) return null
    const { textHash, ...from } = known
    return { ...from, edited: hashOf(content) !== textHash }
  }

  toJSON(): Readonly<Record<string, Omit<RememberedText, 'generationId'>>> {
    return Object.fromEntries(this.#texts.slice(0, this.size).map(({ generationId, ...text }) => [generationId, text]))
  }
}
