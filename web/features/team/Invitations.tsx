import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Client, InvitedMember, TeamInvitation } from '../../../api/contract/index.ts'
import { roleNames } from '../../lib/role-names.ts'
import { call } from '../../lib/call.ts'
import { formatDate } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/toast.ts'
import { InvitationLink } from './InvitationLink.tsx'
import { scopeWords } from './scope-words.ts'
import { words } from './words.ts'

interface Props {
  readonly invitations: readonly TeamInvitation[]
  readonly clients: readonly Client[]
  readonly zone: string
  /** Whether this server sends mail. */
  readonly mails: boolean
}

export function Invitations({ invitations, clients, zone, mails }: Props) {
  const [renewed, setRenewed] = useState<InvitedMember | null>(null)
  const failed = (title: string) => (error: unknown) =>
    toast({ title, description: errorText(error), variant: 'destructive' })
  const resend = useMutation({
    mutationFn: (id: string) => call('POST /api/team/invitations/{id}/resend', { params: { id } }),
    onSuccess: async (invited) => {
      await afterTeamChange()
      setRenewed(invited)
    },
    onError: failed(words.invitations.resendFailed),
  })
  const withdraw = useMutation({
    mutationFn: ({ id }: TeamInvitation) => call('DELETE /api/team/invitations/{id}', { params: { id } }),
    onSuccess: async (_, { email }) => {
      await afterTeamChange()
      toast({ title: words.invitations.withdrawn, description: words.invitations.withdrawnText(email) })
    },
    onError: failed(words.invitations.withdrawFailed),
  })
  // The letter has left meanwhile, mostly.
  const closeLink = () => {
    setRenewed(null)
    void afterTeamChange()
  }
  const isBusy = resend.isPending || withdraw.isPending
  return (
    <Card data-testid="card-invitations">
      <h2 className="font-semibold">{words.invitations.heading}</h2>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {invitations.map((each) => (
          <li
            key={each.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3"
            data-testid="invitation"
          >
            <div className="min-w-48 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium wrap-anywhere">{each.email}</span>
                <Badge tone="secondary">{roleNames[each.role]}</Badge>
                <Badge tone={each.isOver ? 'draft' : 'pending'}>
                  {each.isOver ? words.invitations.isOver : words.invitations.isOpen}
                </Badge>
              </p>
              <p dir="auto" className="text-sm wrap-anywhere text-quiet">
                {scopeWords(each.clients, clients)}
              </p>
              <p className="text-sm text-quiet">
                {each.isOver
                  ? words.invitations.over(formatDate(each.expiresAt, zone))
                  : words.invitations.until(formatDate(each.expiresAt, zone), each.invitedBy)}
              </p>
              {!each.isOver && each.letter !== null && (
                <p className="text-sm text-quiet" data-testid="text-letter">
                  {words.invitations.letter[mails ? each.letter : 'kept']}
                </p>
              )}
            </div>
            <div className="flex flex-wrap gap-1">
              <Button size="sm" pending={isBusy} onPress={() => resend.mutate(each.id)}>
                {words.invitations.resend}
              </Button>
              <Button size="sm" look="dangerQuiet" pending={isBusy} onPress={() => withdraw.mutate(each)}>
                {words.invitations.withdraw}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {renewed && <InvitationLink invited={renewed} zone={zone} mails={mails} onClose={closeLink} />}
    </Card>
  )
}
