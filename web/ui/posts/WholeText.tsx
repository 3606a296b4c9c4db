import type { PostCard } from '../../../api/contract/index.ts'
import { useWholePost } from '../../lib/use-whole-post.ts'
import { Button } from '../Button.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { words } from './words.ts'

/**
 * All of a text that is being reviewed: nothing is approved by its beginning alone. Its beginning is there while the
 * rest is loaded.
 */
export function WholeText({ card }: { readonly card: PostCard }) {
  const { post, error, retry } = useWholePost(card)
  return (
    <div
      className="max-h-[60dvh] max-w-text overflow-y-auto"
      {...(card.truncated && { tabIndex: 0, role: 'region', 'aria-label': words.wholeText })}
    >
      <p
        data-testid="post-content"
        dir="auto"
        className="prose-post text-base/5"
        aria-busy={post === undefined && error === null}
      >
        {post?.content ?? card.excerpt}
      </p>
      {post === undefined && error === null && (
        <div className="mt-2 flex flex-col gap-2">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      )}
      {error !== null && (
        <p role="alert" className="mt-2 text-sm text-quiet">
          {`${words.restOfText} `}
          <Button look="link" size="inline" onPress={retry}>
            {words.tryLoadingAgain}
          </Button>
        </p>
      )}
    </div>
  )
}
