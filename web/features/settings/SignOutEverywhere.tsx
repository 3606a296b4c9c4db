import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { endSession } from '../../lib/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

export default function SignOutEverywhere({ onClose }: { readonly onClose: () => void }) {
  const end = useMutation({
    mutationFn: () => call('POST /api/auth/sign-out-everywhere'),
    // Clears everything that this page has read, as the plain sign-out does.
    onSuccess: () => {
      endSession()
      location.assign('/')
    },
    onError: (error) => {
      onClose()
      toast({ title: words.error, description: errorText(error), variant: 'destructive' })
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.everywhere.title}
      action={words.everywhere.action}
      pending={end.isPending || end.isSuccess}
      onConfirm={() => end.mutate()}
    >
      {words.everywhere.text}
    </ConfirmDialog>
  )
}
