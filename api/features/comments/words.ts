/**
 * The words of comments: records, because no event has any. An event has a digest with a salt, so that the words can be
 * erased and, while they are there, proven.
 */
import { randomBytes } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { wordsDigest } from '../../../domain/discussion/hashes.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'
import { removeAll } from '../../records/remove-all.ts'

/** A text, and the salt of its digest. */
export interface Words {
  readonly salt: string
  readonly text: string
}

export interface CommentWords {
  /** Of the post and the comment: a caller's UUID must not meet that of another agency. */
  readonly id: string
  readonly agencyId: string
  readonly clientId: string
  /** The user or reviewer whose words they are: erased with that person. */
  readonly authorId: string
  readonly words: Words
  /** Of an edit under way: the words that the log has until then; else null. */
  readonly earlier: Words | null
  readonly suggestion: Words | null
  /** When they came, before their event. Absent in records of earlier versions. */
  readonly at?: Instant
}

export const commentWordsTable = {
  table: 'comment_words',
  indexed: ['clientId', 'authorId'],
} as const satisfies RecordDefinition<CommentWords>

export type CommentWordsTable = RecordTable<CommentWords>

export const openCommentWords = (records: Records): Promise<CommentWordsTable> =>
  records.table<CommentWords>(commentWordsTable)

export const wordsId = (postId: string, commentId: string): string => `${postId}.${commentId}`

export const salted = (text: string): Words => ({ salt: randomBytes(16).toString('hex'), text })

export const digestOf = ({ salt, text }: Words): string => wordsDigest(salt, text)

/** The words that an event's digest proves; null once they are erased. */
export const provenText = (digest: string, candidates: readonly (Words | null)[]): string | null =>
  candidates.find((words) => words !== null && digestOf(words) === digest)?.text ?? null

/** Erases the words of a person, or those on the posts of a removed client. Can be interrupted and repeated. */
export const eraseWords = (table: CommentWordsTable, field: 'authorId' | 'clientId', value: string): Promise<void> =>
  removeAll(table, field, value)
