import { call } from '../../lib/call.ts'
import { afterClientChange } from '../../lib/refetch.ts'
import { ClientDialog } from '../../ui/clients/ClientDialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { ClientDetails } from './Overview.tsx'

interface Props {
  readonly client: ClientDetails
  readonly onClose: () => void
}

export default function EditClient({ client, onClose }: Props) {
  return (
    <ClientDialog
      title="Edit Client"
      profile={client}
      onClose={onClose}
      action="Save Changes"
      actionPending="Saving..."
      submit={async (profile) => {
        const body = { ...profile, brandColor: profile.brandColor ?? undefined }
        await call('PATCH /api/clients/{id}', { params: { id: client.id }, body })
        await afterClientChange()
        onClose()
        toast({ title: 'Client updated', description: `The profile of ${profile.name} is saved.` })
      }}
    />
  )
}
