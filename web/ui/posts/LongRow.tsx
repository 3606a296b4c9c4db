import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { PostCard } from '../../../api/contract/index.ts'
import { cardStyle } from '../Card.tsx'
import { useNear } from '../use-near.ts'

interface Props {
  readonly post: PostCard
  readonly position: number
  readonly of: number
  /** True for a row in the first screen. */
  readonly isFirst: boolean
  readonly children: ReactNode
}

/**
 * A post in a list of hundreds: a whole card near the screen, elsewhere its excerpt alone, which is what a search in
 * the page
 * finds and a screen reader reads; coming near makes a card of it.
 */
export function LongRow({ post, position, of, isFirst, children }: Props) {
  const row = useRef<HTMLLIElement>(null)
  const isNear = useNear(row, isFirst)
  const [height, setHeight] = useState<number | null>(null)
  // A row that is unmounted leaves a gap of its own size, so that nothing moves.
  useEffect(() => {
    const card = row.current
    if (!isNear || !card) return
    const watch = new ResizeObserver(() => setHeight(card.offsetHeight))
    watch.observe(card)
    return () => watch.disconnect()
  }, [isNear])
  const place = { ref: row, 'data-row': post.id, tabIndex: -1, 'aria-setsize': of, 'aria-posinset': position }
  if (isNear) return <li {...place}>{children}</li>
  return (
    <li
      {...place}
      className="h-20 overflow-hidden [content-visibility:auto] [contain-intrinsic-height:5rem]"
      {...(height !== null && { style: { height } })}
    >
      <p dir="auto" className={`${cardStyle} prose-post line-clamp-3 min-h-full px-4 py-2 text-base/5`}>
        {post.excerpt}
      </p>
    </li>
  )
}
