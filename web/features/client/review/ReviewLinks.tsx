/** The review links of a client: for whom, what they show, their last use, and revoking them. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import type { ReviewLink } from '../../../../api/contract/index.ts'
import { call } from '../../../lib/call.ts'
import { formatDate, formatDateTime, formatMonth } from '../../../lib/dates.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { afterReviewLinkChange, contactsQuery, reviewLinksQuery } from '../../../lib/review-queries.ts'
import { useMay, useZone } from '../../../lib/use-agency.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { PaidButton } from '../../../ui/PaidButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { LinkPeople } from './LinkPeople.tsx'
import { words } from './words.ts'

type ConfirmProps = ComponentProps<(typeof import('../../../ui/ConfirmDialog.tsx'))['ConfirmDialog']>
const ConfirmDialog = lazyDialog<ConfirmProps>(() =>
  import('../../../ui/ConfirmDialog.tsx').then((loaded) => ({ default: loaded.ConfirmDialog })),
)
const SendForReview = lazyDialog(() => import('../../../ui/review/SendForReview.tsx'))

const stateLook = { open: 'published', revoked: 'rejected', expired: 'draft' } as const

export function ReviewLinks({ clientId }: { readonly clientId: string }) {
  const zone = useZone()
  const list = useInfiniteQuery(reviewLinksQuery(clientId))
  const links = list.data?.pages.flatMap(({ items }) => items) ?? []
  const contacts = useQuery(contactsQuery(clientId)).data ?? []
  const mayErase = useMay('owner')
  const [isSending, setSending] = useState(false)
  const [revoking, setRevoking] = useState<ReviewLink | null>(null)
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE /api/review-links/{id}', { params: { id } }),
    onSuccess: async () => {
      setRevoking(null)
      await afterReviewLinkChange(clientId)
      toast({ title: words.revoked, description: words.revokedText })
    },
    onError: (error) => toastFailure(words.revokeFailed, error),
  })
  const namesOf = (link: ReviewLink) => {
    const named = link.contacts.map((id) => contacts.find((contact) => contact.id === id)?.name ?? words.formerContact)
    return words.people([...named, ...(link.anyone ? [words.anyone] : [])])
  }
  return (
    <Card data-testid="card-review-links">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{words.links}</h2>
        <PaidButton size="sm" onPress={() => setSending(true)} data-testid="button-send-for-review">
          <Send aria-hidden />
          {words.send}
        </PaidButton>
      </div>
      <p className="mt-2 text-sm text-quiet">{words.linksText}</p>
      {list.isPending && (
        <>
          <output className="sr-only">{words.loadingLinks}</output>
          <Skeleton className="mt-3 h-16" />
        </>
      )}
      {list.isError && <LoadError what={words.theLinks} error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && links.length === 0 && <p className="mt-3 text-quiet">{words.noLinks}</p>}
      <ul className="mt-3 flex flex-col divide-y divide-line empty:hidden">
        {links.map((link) => (
          <li key={link.id} className="flex flex-col gap-1 py-3" data-testid="review-link" data-state={link.state}>
            <p className="flex flex-wrap items-center gap-2">
              <span dir="auto" className="font-medium wrap-anywhere">
                {namesOf(link)}
              </span>
              <Badge tone={stateLook[link.state]}>{words.states[link.state]}</Badge>
            </p>
            <p className="text-sm text-quiet">
              {[scopeOf(link), words.locks[link.lock]].filter((part) => part !== null).join(', ')}
            </p>
            <p className="text-sm wrap-anywhere text-quiet">
              {words.issued(link.issuedBy, formatDate(link.issuedAt, zone), formatDateTime(link.expiresAt, zone))}
            </p>
            <p className="text-sm text-quiet">
              {link.lastUsedAt === null ? words.neverUsed : words.lastUsed(formatDateTime(link.lastUsedAt, zone))}
            </p>
            {mayErase && link.lastUsedAt !== null && (
              <LinkPeople clientId={clientId} linkId={link.id} of={namesOf(link)} />
            )}
            {link.state === 'open' && (
              <Button
                look="link"
                size="inline"
                className="min-h-8 self-start text-sm"
                aria-label={words.revokeOf(namesOf(link))}
                onPress={() => setRevoking(link)}
              >
                {words.revoke}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="sm" pending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
      {isSending && <SendForReview clientId={clientId} onClose={() => setSending(false)} />}
      {revoking && (
        <ConfirmDialog
          open
          onClose={() => setRevoking(null)}
          title={words.revokeTitle}
          action={words.revoke}
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate(revoking.id)}
        >
          {words.revokeText(namesOf(revoking))}
        </ConfirmDialog>
      )}
    </Card>
  )
}

function scopeOf({ scope }: ReviewLink): string {
  switch (scope.kind) {
    case 'pending':
      return words.scopes.pending
    case 'posts':
      return words.scopes.posts(scope.postIds.length)
    case 'month':
      return words.scopes.month(formatMonth(scope.month))
  }
}
