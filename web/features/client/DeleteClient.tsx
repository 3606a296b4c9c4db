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
import { words } from './words.ts'

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
      toast(words.clientDeleted(name))
    },
    onError: (error) => toastFailure(words.deleteClientFailed, error),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.deleteClientTitle(name, posts === 0 ? null : count(posts, 'post'))}
      action={words.deleteClient}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {words.deleteClientText(count(socialAccounts, 'social account'), count(posts, 'post'))}
    </ConfirmDialog>
  )
}
