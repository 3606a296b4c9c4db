import { useMutation } from '@tanstack/react-query'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { afterAccountChange } from '../../lib/refetch.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { accountWords as words } from './account-words.ts'

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
      toast(words.disconnected(accountName))
    },
    onError: (error) => toastFailure(words.disconnectFailed, error),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.disconnectTitle(accountName)}
      action={words.disconnect}
      pending={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
    >
      {words.disconnectText}
    </ConfirmDialog>
  )
}
