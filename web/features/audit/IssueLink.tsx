import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { callOnce } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatDate } from '../../lib/dates.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { afterLinkChange } from './AuditorLinks.tsx'

interface Props {
  readonly clients: readonly { readonly id: string; readonly name: string }[]
  readonly zone: string
  readonly onClose: () => void
}

const everything = 'agency'
const day = 86_400_000
const lives = [
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: 'A year' },
]

export default function IssueLink({ clients, zone, onClose }: Props) {
  const once = useIdempotencyKey()
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState(everything)
  const [days, setDays] = useState('30')
  const [missing, setMissing] = useState(false)
  const issue = useMutation({
    mutationFn: () => {
      const asked = { label, scope, days }
      const body = {
        label,
        scope: scope === everything ? ({ kind: 'agency' } as const) : ({ kind: 'client', clientId: scope } as const),
        expiresAt: new Date(Math.floor(Date.now() / day + 1 + Number(days)) * day).toISOString(),
      }
      return callOnce('POST /api/audit/links', once(asked), { body })
    },
    onSuccess: afterLinkChange,
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(label.trim() === '')
    if (label.trim() !== '' && !issue.isPending) issue.mutate()
  }
  if (issue.data) return <Made url={issue.data.url} until={formatDate(issue.data.expiresAt, zone)} onClose={onClose} />
  return (
    <FormDialog
      onClose={onClose}
      unsaved={label.trim() !== ''}
      title="New Auditor Link"
      description="It opens the audit, read only, for whoever has it. You can withdraw it at any time."
    >
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <TextField
          label="For"
          value={label}
          onChange={setLabel}
          placeholder="Yearly audit"
          required
          focusFirst
          error={missing ? 'Required' : undefined}
        />
        <Select
          label="Shows"
          options={[
            { id: everything, label: 'The whole agency' },
            ...clients.map(({ id, name }) => ({ id, label: name })),
          ]}
          value={scope}
          onChange={setScope}
          testId="select-link-scope"
        />
        <Select label="Open for" options={lives} value={days} onChange={setDays} testId="select-link-life" />
        <ServerError message={issue.isError ? errorText(issue.error) : null} />
        <div className="flex justify-end gap-2 pt-2">
          <Button slot="close">Cancel</Button>
          <Button look="primary" type="submit" pending={issue.isPending} data-testid="button-create-link">
            {issue.isPending ? 'Creating...' : 'Create Link'}
          </Button>
        </div>
      </form>
    </FormDialog>
  )
}

function Made({ url, until, onClose }: { readonly url: string; readonly until: string; readonly onClose: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast({ title: 'Link copied', description: 'Send it to your auditor.' }),
      () =>
        toast({
          title: 'Error',
          description: 'The link could not be copied. Select it and copy it yourself.',
          variant: 'destructive',
        }),
    )
  return (
    <FormDialog
      onClose={onClose}
      unsaved={false}
      title="Your Auditor Link"
      description={`Copy it now: it is shown only this once. It is open until ${until}.`}
    >
      <div className="flex flex-col gap-4">
        <TextField label="Address" value={url} readOnly />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Done</Button>
          <Button look="primary" onPress={copy}>
            <Copy aria-hidden />
            Copy Link
          </Button>
        </div>
      </div>
    </FormDialog>
  )
}
