import { useMutation } from '@tanstack/react-query'
import type { TeamMember } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly member: TeamMember
  readonly onClose: () => void
}

export default function OfferOwnership({ member: { id, name }, onClose }: Props) {
  const offer = useMutation({
    mutationFn: () => call('POST /api/team/ownership', { body: { memberId: id } }),
    onSuccess: async () => {
      await afterTeamChange()
      toast({ title: words.ownership.offered, description: words.ownership.offeredText(name) })
    },
    onError: (error) => toast({ title: words.ownership.failed, description: errorText(error), variant: 'destructive' }),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.ownership.title(name)}
      action={words.ownership.action}
      pending={offer.isPending}
      onConfirm={() => offer.mutate()}
    >
      {words.ownership.text(name)}
    </ConfirmDialog>
  )
}
