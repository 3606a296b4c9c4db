/** Posts held for lack of payment, and the button that releases them. */
import { useMutation } from '@tanstack/react-query'
import { CirclePause } from 'lucide-react'
import type { Agency } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { afterRelease } from '../../lib/refetch.ts'
import { postsWords } from '../../lib/words.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

export function HeldPosts({ agency: { heldPosts, standing } }: { readonly agency: Agency }) {
  const release = useMutation({
    mutationFn: () => call('POST /api/posts/release-held'),
    onSuccess: async ({ released, left }) => {
      await afterRelease()
      const more = left === 0 ? '' : ` ${words.held.left(postsWords(left))}`
      toast({
        title: words.held.released,
        description: `${words.held.releasedText(postsWords(released), released)}${more}`,
      })
    },
    onError: (error) => toastFailure(words.held.failed, error),
  })
  if (heldPosts === 0) return null
  const isPaid = standing === 'good'
  return (
    <section
      aria-labelledby="held-posts"
      data-testid="card-held-posts"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card border border-line bg-pending-soft px-5 py-4 sm:px-6"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="held-posts" className="flex items-center gap-2 font-semibold text-pending-ink">
          <CirclePause aria-hidden className="size-4 shrink-0" />
          {words.held.heading(postsWords(heldPosts), heldPosts, isPaid)}
        </h2>
        <p className="mt-0.5 text-ink">{words.held.text(heldPosts, isPaid)}</p>
      </div>
      {isPaid && (
        <Button
          look="primary"
          onPress={() => release.mutateAsync()}
          pending={release.isPending}
          data-testid="button-release-held"
        >
          {words.held.release(heldPosts)}
        </Button>
      )}
    </section>
  )
}
