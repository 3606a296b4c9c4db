import { call } from '../../lib/call.ts'
import { afterClientChange } from '../../lib/refetch.ts'
import { ClientForm } from '../../ui/clients/ClientForm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { ClientDetails } from './Overview.tsx'

interface Props {
  readonly client: ClientDetails
  readonly onClose: () => void
}

export default function EditClient({ client, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title="Edit Client">
      <ClientForm
        profile={client}
        onCancel={onClose}
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
    </Dialog>
  )
}
