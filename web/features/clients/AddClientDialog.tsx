import { callOnce } from '../../lib/call.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { afterClientChange } from '../../lib/refetch.ts'
import { ClientDialog } from '../../ui/clients/ClientDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly onClose: () => void
}

export default function AddClientDialog({ onClose }: Props) {
  const once = useIdempotencyKey()
  return (
    <ClientDialog
      title={words.addTitle}
      description={words.addText}
      onClose={onClose}
      action={words.create}
      actionPending={words.creating}
      submit={async (body) => {
        await callOnce('POST /api/clients', once(body), { body })
        await afterClientChange()
        onClose()
        toast({ title: words.created, description: words.createdText })
      }}
    />
  )
}
