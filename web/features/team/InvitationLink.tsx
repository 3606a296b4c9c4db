/** The link of an invitation, which is shown once. */
import { Copy } from 'lucide-react'
import type { InvitedMember } from '../../../api/contract/index.ts'
import { formatDate } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly invited: InvitedMember
  readonly zone: string
  /** Whether this server sends mail. */
  readonly mails: boolean
  readonly onClose: () => void
}

export function InvitationLink({ invited: { email, link, mailed, expiresAt }, zone, mails, onClose }: Props) {
  const until = formatDate(expiresAt, zone)
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => toast({ title: words.inviting.copied, description: words.inviting.copiedText }),
      () => toast({ title: words.error, description: words.inviting.copyFailed, variant: 'destructive' }),
    )
  return (
    <FormDialog
      onClose={onClose}
      unsaved={false}
      title={words.inviting.made}
      description={mailed ? words.inviting.mailed(email, until) : words.inviting.notMailed(email, until, mails)}
    >
      <div className="flex flex-col gap-4">
        <TextField label={words.inviting.link} value={link} readOnly hint={words.inviting.copyNote} />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.done}</Button>
          <Button look="primary" onPress={copy}>
            <Copy aria-hidden />
            {words.inviting.copy}
          </Button>
        </div>
      </div>
    </FormDialog>
  )
}
