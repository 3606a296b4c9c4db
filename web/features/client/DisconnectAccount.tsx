import { useMutation } from '@tanstack/react-query'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { afterAccountChange } from '../../lib/refetch.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'

interface Props {
  readonly account: SocialAccount
  readonly onClose: () => void
}

export default function DisconnectAccount({ account: { id, accountName }, onClose }: Props) {
  const disconnect = useMutation({
    mutationFn: () => call('DELETE /api/social-accounts/{id}', { params: { id } }),
    onSuccess: async () => {
      onClose()
      await afterAccountChange()
      toast({
        title: 'Account disconnected',
        description: `Nothing is published on ${accountName} until you connect it again.`,
      })
    },
    onError: (error) => toastFailure('Failed to disconnect account', error),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disconnect ${accountName}?`}
      action="Disconnect"
      pending={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
    >
      Its posts stay here, but those that are due will be held until you connect it again.
    </ConfirmDialog>
  )
}
