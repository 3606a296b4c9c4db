import { callOnce } from '../../lib/call.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { afterClientChange } from '../../lib/refetch.ts'
import { ClientDialog } from '../../ui/clients/ClientDialog.tsx'
import { toast } from '../../ui/toast.ts'

interface Props {
  readonly onClose: () => void
}

export default function AddClientDialog({ onClose }: Props) {
  const once = useIdempotencyKey()
  return (
    <ClientDialog
      title="Add New Client"
      description="Only the name is needed now. The rest helps the writer find the brand's voice."
      onClose={onClose}
      action="Create Client"
      actionPending="Creating..."
      submit={async (body) => {
        await callOnce('POST /api/clients', once(body), { body })
        await afterClientChange()
        onClose()
        toast({ title: 'Client created!', description: 'You can now configure their social media accounts.' })
      }}
    />
  )
}
