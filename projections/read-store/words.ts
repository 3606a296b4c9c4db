/** The words of documents, apart from the documents that lists read. */
import { NotSearchable, type Document, type Query, type WordScope } from './port.ts'

/** A document without its words, and the words; null without any. */
export function withoutWords(doc: Document): { readonly doc: Document; readonly words: string | null } {
  const { words, ...rest } = doc
  return typeof words === 'string' ? { doc: rest, words } : { doc, words: null }
}

/** The value of the scope that a search is limited to. @throws NotSearchable */
export function scopeOf({ where = {} }: Query, wordScope: WordScope): string {
  const value = wordScope === null ? undefined : where[wordScope]
  if (typeof value !== 'string')
    throw new NotSearchable(
      wordScope === null ? 'The collection has no index of words' : `A search needs one value of ${wordScope}`,
    )
  return value
}
