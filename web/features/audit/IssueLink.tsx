import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { callOnce } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatDate } from '../../lib/dates.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { Button } from '../../ui/Button.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { afterLinkChange } from './AuditorLinks.tsx'
import { words } from './words.ts'

interface Props {
  readonly clients: readonly { readonly id: string; readonly name: string }[]
  readonly zone: string
  readonly onClose: () => void
}

const everything = 'agency'
const day = 86_400_000
const lives = [
  { id: '7', label: words.lives.week },
  { id: '30', label: words.lives.month },
  { id: '90', label: words.lives.quarter },
  { id: '365', label: words.lives.year },
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
      title={words.newLinkTitle}
      description={words.newLinkText}
    >
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <TextField
          label={words.for}
          value={label}
          onChange={setLabel}
          placeholder={words.forExample}
          required
          focusFirst
          error={missing ? words.required : undefined}
        />
        <Select
          label={words.shows}
          options={[
            { id: everything, label: words.wholeAgency },
            ...clients.map(({ id, name }) => ({ id, label: name })),
          ]}
          value={scope}
          onChange={setScope}
          testId="select-link-scope"
        />
        <Select label={words.openFor} options={lives} value={days} onChange={setDays} testId="select-link-life" />
        <ServerError message={issue.isError ? errorText(issue.error) : null} />
        <FormActions
          pending={issue.isPending}
          action={words.createLink}
          pendingAction={words.creating}
          testId="button-create-link"
        />
      </form>
    </FormDialog>
  )
}

function Made({ url, until, onClose }: { readonly url: string; readonly until: string; readonly onClose: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast({ title: words.copied, description: words.copiedText }),
      () =>
        toast({
          title: words.error,
          description: words.copyFailed,
          variant: 'destructive',
        }),
    )
  return (
    <FormDialog onClose={onClose} unsaved={false} title={words.yourLink} description={words.yourLinkText(until)}>
      <div className="flex flex-col gap-4">
        <TextField label={words.address} value={url} readOnly />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.done}</Button>
          <Button look="primary" onPress={copy}>
            <Copy aria-hidden />
            {words.copyLink}
          </Button>
        </div>
      </div>
    </FormDialog>
  )
}
