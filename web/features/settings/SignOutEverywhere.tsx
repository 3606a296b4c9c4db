import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { dropAllDrafts } from '../../lib/kept-drafts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'

export default function SignOutEverywhere({ onClose }: { readonly onClose: () => void }) {
  const end = useMutation({
    mutationFn: () => call('POST /api/auth/sign-out-everywhere'),
    // Clears everything that this page has read, as the plain sign-out does.
    onSuccess: () => {
      dropAllDrafts()
      location.assign('/')
    },
    onError: (error) => {
      onClose()
      toast({ title: 'Error', description: errorText(error), variant: 'destructive' })
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Sign out everywhere?"
      action="Sign Out Everywhere"
      pending={end.isPending || end.isSuccess}
      onConfirm={() => end.mutate()}
    >
      All your devices and browsers are signed out, this one too. What was typed there and not saved yet stays until you
      sign in again or close the page. Posts that are scheduled go out as planned.
    </ConfirmDialog>
  )
}
