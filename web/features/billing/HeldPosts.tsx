/** Posts held for lack of payment, and the button that releases them. */
import { useMutation } from '@tanstack/react-query'
import { CirclePause } from 'lucide-react'
import type { Agency } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { afterRelease } from '../../lib/refetch.ts'
import { postsWords } from '../../lib/subscription.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'

export function HeldPosts({ agency: { heldPosts, standing } }: { readonly agency: Agency }) {
  const release = useMutation({
    mutationFn: () => call('POST /api/posts/release-held'),
    onSuccess: async ({ released, left }) => {
      await afterRelease()
      const more = left === 0 ? '' : ` ${postsWords(left)} more can be released now.`
      toast({
        title: 'Posts released',
        description: `${postsWords(released)} ${released === 1 ? 'is' : 'are'} on the way again.${more}`,
      })
    },
    onError: (error) => toastFailure('Failed to release the posts', error),
  })
  if (heldPosts === 0) return null
  const one = heldPosts === 1
  return (
    <section
      aria-labelledby="held-posts"
      data-testid="card-held-posts"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card border border-line bg-pending-soft px-5 py-4 sm:px-6"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="held-posts" className="flex items-center gap-2 font-semibold text-pending-ink">
          <CirclePause aria-hidden className="size-4 shrink-0" />
          {standing === 'good'
            ? `${postsWords(heldPosts)} ${one ? 'was' : 'were'} held while nothing was paid`
            : `${postsWords(heldPosts)} ${one ? 'is' : 'are'} held`}
        </h2>
        <p className="mt-0.5 text-ink">
          {standing === 'good'
            ? `${one ? 'It goes' : 'They go'} out when you say so: ${one ? 'at once where its time has passed' : 'in their order, at once where their time has passed'}.`
            : `Nothing is lost. Once the subscription is paid you can release ${one ? 'it' : 'them'} here.`}
        </p>
      </div>
      {standing === 'good' && (
        <Button
          look="primary"
          onPress={() => release.mutateAsync()}
          pending={release.isPending}
          data-testid="button-release-held"
        >
          {one ? 'Release It' : 'Release Them'}
        </Button>
      )}
    </section>
  )
}
