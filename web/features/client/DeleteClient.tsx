import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { chosenClient } from '../../lib/chosen-client.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { clientQuery } from '../../lib/queries.ts'
import { afterClientDelete } from '../../lib/refetch.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { ClientDetails } from './Overview.tsx'

interface Props {
  readonly client: ClientDetails
  readonly onClose: () => void
}

const count = (number: number, one: string) => `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`

export default function DeleteClient({ client, onClose }: Props) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { name, posts, socialAccounts } = client
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/clients/{id}', { params: { id: client.id } }),
    onSuccess: async () => {
      chosenClient.forget(client.id)
      await navigate({ to: '/clients' })
      queries.removeQueries({ queryKey: clientQuery(client.id).queryKey })
      await afterClientDelete()
      toast({ title: 'Client deleted', description: `${name} and everything that belonged to it is gone.` })
    },
    onError: (error) => toastFailure('Failed to delete client', error),
  })
  const withPosts = posts === 0 ? '' : ` and its ${count(posts, 'post')}`
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}${withPosts}?`}
      action="Delete Client"
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {`${count(socialAccounts, 'social account')}, ${count(posts, 'post')} and all figures go with it. Posts that are live on a network stay there. This cannot be undone.`}
    </ConfirmDialog>
  )
}
