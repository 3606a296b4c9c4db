/**
 * Remembers intermediate states of long posts, so that a page of history needn't fold the stream from its first event.
 * Streams only grow, so a mark never becomes wrong. Kept in memory, for the most recently viewed posts.
 */
import type { Post } from '../../../domain/post/state.ts'

/** The state of a post right before the event of a revision. */
export interface Mark {
  readonly revision: number
  readonly post: Post
}

/** The limit on all marks together; a mark weighs about as much as its post's text. */
const maxCharacters = 10_000_000

const weightOf = ({ post }: Mark) => post.content.length + 1_000

export class FoldMarks {
  /** Each post's marks by ascending revision; the least recently viewed posts come first. */
  readonly #marks = new Map<string, readonly Mark[]>()
  #characters = 0

  get characters(): number {
    return this.#characters
  }

  /** Returns a post's marks before a revision. */
  before(postId: string, revision: number): readonly Mark[] {
    const marks = this.#marks.get(postId) ?? []
    this.#marks.delete(postId)
    if (marks.length > 0) this.#marks.set(postId, marks)
    return marks.filter((mark) => mark.revision < revision)
  }

  /** Adds a mark after the known ones; any other is ignored. */
  add(postId: string, mark: Mark): void {
    const marks = this.#marks.get(postId) ?? []
    if ((marks.at(-1)?.revision ?? -1) >= mark.revision) return
    this.#marks.delete(postId)
    this.#marks.set(postId, [...marks, mark])
    this.#characters += weightOf(mark)
    for (const oldest of this.#marks.keys()) {
      if (this.#characters <= maxCharacters) return
      this.#drop(oldest)
    }
  }

  #drop(postId: string): void {
    for (const mark of this.#marks.get(postId) ?? []) this.#characters -= weightOf(mark)
    this.#marks.delete(postId)
  }
}
