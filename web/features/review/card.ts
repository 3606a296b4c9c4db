/** What the card of a post and its parts are given, where its headings are, and whether it is decided. */
import type { ReviewedPost } from '../../../api/contract/index.ts'
import type { SeenVersion } from './known-posts.ts'

export interface ReviewCard {
  readonly token: string
  readonly post: ReviewedPost
  readonly before: SeenVersion | null
  readonly position: number
  readonly total: number
  readonly zone: string
  readonly agency: string
  /** The link is for everyone, and who reviews is not known yet. */
  readonly asksName: boolean
  /** The next post to decide on. */
  readonly nextId: string | null
  readonly onChanged: (post: ReviewedPost) => void
  readonly onLook: () => void
}

export const headingOf = (postId: string) => `post-${postId}`
export const changesOf = (postId: string) => `changes-${postId}`

/** A verdict on an earlier version or text is none on what is shown. */
export const isJudged = ({ verdict }: ReviewedPost): boolean => verdict?.isCurrent ?? false

export const isToJudge = (post: ReviewedPost): boolean =>
  !isJudged(post) && (post.can.includes('approve') || post.can.includes('changes'))
