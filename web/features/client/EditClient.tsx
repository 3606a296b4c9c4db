import { call } from '../../lib/call.ts'
import { afterClientChange } from '../../lib/refetch.ts'
import { ClientDialog, type ClientProfile } from '../../ui/clients/ClientDialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { ClientDetails } from './Overview.tsx'
import { words } from './words.ts'

const hasChanged = (profile: ClientProfile, client: ClientDetails) =>
  Object.entries(profile).some(([field, value]) => (value ?? '') !== (client[field as keyof ClientProfile] ?? ''))

interface Props {
  readonly client: ClientDetails
  readonly onClose: () => void
}

export default function EditClient({ client, onClose }: Props) {
  return (
    <ClientDialog
      title={words.editClient}
      profile={client}
      onClose={onClose}
      action={words.saveChanges}
      actionPending={words.saving}
      submit={async (profile) => {
        if (!hasChanged(profile, client)) {
          onClose()
          return toast(words.profileUnchanged)
        }
        const body = { ...profile, brandColor: profile.brandColor ?? undefined }
        await call('PATCH /api/clients/{id}', { params: { id: client.id }, body })
        await afterClientChange()
        onClose()
        toast(words.clientUpdated(profile.name))
      }}
    />
  )
}
