/** Lists the auditors' links: for whom, until when, and their last use. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AuditorLink } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatDate, formatDateTime } from '../../lib/dates.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { auditorLinksQuery } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { toast } from '../../ui/toast.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { words } from './words.ts'

const IssueLink = lazyDialog(() => import('./IssueLink.tsx'))

interface Props {
  readonly clients: readonly { readonly id: string; readonly name: string }[]
  readonly zone: string
}

const stateLook = {
  open: { tone: 'published', words: words.linkStates.open },
  revoked: { tone: 'rejected', words: words.linkStates.revoked },
  expired: { tone: 'draft', words: words.linkStates.expired },
} as const

export const afterLinkChange = () => queryClient.invalidateQueries({ queryKey: auditorLinksQuery.queryKey })

export function AuditorLinks({ clients, zone }: Props) {
  const links = useQuery(auditorLinksQuery)
  const [issuing, setIssuing] = useState(false)
  const [revoking, setRevoking] = useState<AuditorLink | null>(null)
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE /api/audit/links/{id}', { params: { id } }),
    onSuccess: async () => {
      setRevoking(null)
      await afterLinkChange()
      toast({ title: words.withdrawn, description: words.withdrawnText })
    },
    onError: (error) => toastFailure(words.withdrawFailed, error),
  })
  const scopeWords = ({ scope }: AuditorLink) =>
    scope.kind === 'agency'
      ? words.everything
      : (clients.find(({ id }) => id === scope.clientId)?.name ?? words.removedClient)
  return (
    <Card data-testid="card-auditor-links">
      <div className="flex items-center justify-between gap-3">
        <h2 className="flex items-center gap-2 font-semibold">
          <Link2 aria-hidden className="size-4 text-quiet" />
          {words.links}
        </h2>
        <Button size="sm" onPress={() => setIssuing(true)} data-testid="button-issue-link">
          <Plus aria-hidden />
          {words.newLink}
        </Button>
      </div>
      <p className="mt-2 text-sm text-quiet">{words.linksAbout}</p>
      {links.isError && <LoadError what={words.theLinks} error={links.error} onRetry={() => void links.refetch()} />}
      <ul className="mt-3 flex flex-col divide-y divide-line">
        {links.data?.map((link) => (
          <li key={link.id} className="flex flex-col gap-1 py-3" data-testid="auditor-link" data-state={link.state}>
            <p className="flex flex-wrap items-center gap-2">
              <span dir="auto" className="font-medium wrap-anywhere">
                {link.label}
              </span>
              <Badge tone={stateLook[link.state].tone}>{stateLook[link.state].words}</Badge>
            </p>
            <p className="text-sm text-quiet">{words.scopeUntil(scopeWords(link), formatDate(link.expiresAt, zone))}</p>
            <p className="text-sm text-quiet">
              {link.lastUsedAt === null ? words.neverUsed : words.lastUsed(formatDateTime(link.lastUsedAt, zone))}
            </p>
            {link.state === 'open' && (
              <Button look="link" size="inline" className="self-start text-sm" onPress={() => setRevoking(link)}>
                {words.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {issuing && <IssueLink clients={clients} zone={zone} onClose={() => setIssuing(false)} />}
      {revoking && (
        <ConfirmDialog
          open
          onClose={() => setRevoking(null)}
          title={words.withdrawTitle(revoking.label)}
          action={words.withdraw}
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate(revoking.id)}
        >
          {words.withdrawText}
        </ConfirmDialog>
      )}
    </Card>
  )
}
