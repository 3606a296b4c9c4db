/**
 * Where the fold of a long post can be taken up, so that a page of its history needn't fold it from its first event on.
 * Streams only grow, so that a mark stays true. Kept in memory: the posts that were looked at last.
 */
import type { Post } from '../../../domain/post/state.ts'

/** A post as it was right before the event of a revision. */
export interface Mark {
  readonly revision: number
  readonly post: Post
}

/** Of all marks together; a mark weighs as much as its post's text. */
const maxCharacters = 10_000_000

const weightOf = ({ post }: Mark) => post.content.length + 1_000

export class FoldMarks {
  /** Each post's marks in the order of their revisions; the posts looked at longest ago come first. */
  readonly #marks = new Map<string, readonly Mark[]>()
  #characters = 0

  get characters(): number {
    return this.#characters
  }

  /** A post's marks before a revision. */
  before(postId: string, revision: number): readonly Mark[] {
    const marks = this.#marks.get(postId) ?? []
    this.#marks.delete(postId)
    if (marks.length > 0) this.#marks.set(postId, marks)
    return marks.filter((mark) => mark.revision < revision)
  }

  /** Notes a mark behind those that are known; any other changes nothing. */
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
