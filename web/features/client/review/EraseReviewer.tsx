/** Asks the owner before a person of the client is erased: what goes, and what is kept. */
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { afterErasure } from '../../../lib/review-queries.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { words } from './words.ts'

export interface Erasing {
  /** Of the reviewer or of the contact. */
  readonly id: string
  readonly name: string
}

interface Props {
  readonly clientId: string
  readonly person: Erasing
  readonly onErased: () => void
  readonly onClose: () => void
}

export default function EraseReviewer({ clientId, person, onErased, onClose }: Props) {
  const erase = useMutation({
    mutationFn: () => call('DELETE /api/reviewers/{id}', { params: { id: person.id } }),
    onSuccess: async () => {
      onClose()
      await afterErasure(clientId)
      toast({ title: words.erased, description: words.erasedText })
      onErased()
    },
    onError: (error) => toastFailure(words.eraseFailed, error),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.eraseTitle(person.name)}
      action={words.erase}
      pending={erase.isPending}
      onConfirm={() => erase.mutate()}
    >
      <span className="block">{words.eraseGoes}</span>
      <span className="mt-2 block">{words.eraseStays}</span>
    </ConfirmDialog>
  )
}
