/** The index of words in SQLite: an FTS5 table beside the documents, kept by triggers in their transaction. */
import { field } from './sql.ts'

/** The index of a collection's words. */
export const wordTable = (collection: string): string => `w_${collection}`

/** The documents of a collection with words. `row` outlives a VACUUM, which may change an implicit rowid. */
export const documentsWithWords = (table: string): string =>
  `CREATE TABLE IF NOT EXISTS ${table}
    (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, position TEXT NOT NULL, doc TEXT, words TEXT)`

/** Every word follows its scope, so that a search reads the index of one scope alone. */
const scoped = (version: 'old' | 'new', scope: string) => `hex(${field(scope).replace('(doc,', `(${version}.doc,`)})`
const tokens = (scope: string) => `replace(new.words, ' ', ' ' || ${scoped('new', scope)})`

/**
 * `contentless_delete` needs the row's number alone to remove it (https://www.sqlite.org/fts5.html#contentless_delete_tables).
 * The tokenizer `ascii` takes every character beyond ASCII for a part of a word: texts are folded before.
 */
export const wordIndex = (collection: string, table: string, scope: string): string => `
  CREATE VIRTUAL TABLE ${wordTable(collection)} USING
    fts5(words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
  INSERT INTO ${wordTable(collection)} (${wordTable(collection)}, rank) VALUES ('automerge', 8);
  CREATE TRIGGER "${collection}/words inserted" AFTER INSERT ON ${table} WHEN new.words IS NOT NULL BEGIN
    INSERT INTO ${wordTable(collection)} (rowid, words) VALUES (new.row, ${tokens(scope)});
  END;
  CREATE TRIGGER "${collection}/words updated" AFTER UPDATE ON ${table}
    WHEN old.words IS NOT new.words OR ${scoped('old', scope)} IS NOT ${scoped('new', scope)} BEGIN
    DELETE FROM ${wordTable(collection)} WHERE rowid = old.row;
    INSERT INTO ${wordTable(collection)} (rowid, words) SELECT new.row, ${tokens(scope)} WHERE new.words IS NOT NULL;
  END`

/** The words as a document's row has them: a space before each. */
export const stored = (words: string | null): string | null => (words === null || words === '' ? words : ` ${words}`)

/** Shorter beginnings match too many words to be looked up. */
const minLookedUpBytes = 2

/**
 * A beginning costs as much as the documents that have it; the other words are tested on what is found. A second one
 * of two bytes would seldom narrow the first one's documents down, and costs as much again.
 */
const maxLookedUp = 2
const minSecondBytes = 3

/**
 * The FTS5 query for documents with the longest of these words, which are the rarest as a rule; null when no word is
 * long enough to narrow them down.
 */
export function matching(scope: string, words: readonly string[]): string | null {
  const prefix = Buffer.from(scope).toString('hex')
  const longest = words
    .map((word) => ({ word, bytes: Buffer.byteLength(word) }))
    .filter(({ bytes }) => bytes >= minLookedUpBytes)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, maxLookedUp)
    .filter(({ bytes }, index) => index === 0 || bytes >= minSecondBytes)
  return longest.length === 0 ? null : longest.map(({ word }) => `"${prefix}${word}"*`).join(' AND ')
}
