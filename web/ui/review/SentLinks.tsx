/** What came of sending for review: who was mailed, and the addresses, which are shown once. */
import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import type { IssuedReviewLink } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { contactsQuery } from '../../lib/review-queries.ts'
import { useZone } from '../../lib/use-agency.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { TextField } from '../TextField.tsx'
import { toast } from '../toast.ts'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly issued: IssuedReviewLink
  readonly onClose: () => void
}

export function SentLinks({ clientId, issued: { url, sentTo, expiresAt }, onClose }: Props) {
  const zone = useZone()
  const contacts = useQuery(contactsQuery(clientId)).data ?? []
  const contactOf = (contactId: string) => contacts.find(({ id }) => id === contactId)
  return (
    <FormDialog
      onClose={onClose}
      unsaved={false}
      title={words.sent}
      description={words.sentText(formatDateTime(expiresAt, zone))}
    >
      <div className="flex flex-col gap-5" data-testid="sent-links">
        {sentTo.length > 0 && (
          <ul className="flex flex-col gap-4">
            {sentTo.map(({ contactId, mailed, url: own }) => {
              const contact = contactOf(contactId)
              const name = contact?.name ?? words.formerContact
              return (
                <li key={contactId} className="flex flex-col gap-2">
                  {mailed && (
                    <p className="flex flex-wrap items-baseline gap-x-2">
                      <Check aria-hidden className="size-4 self-center text-approved-ink" />
                      <span dir="auto" className="font-medium wrap-anywhere">
                        {name}
                      </span>
                      <span className="text-sm wrap-anywhere text-quiet">{contact?.email}</span>
                      <span className="text-sm text-approved-ink">{words.mailed}</span>
                    </p>
                  )}
                  {own !== null && <LinkToCopy label={words.linkOf(name)} url={own} />}
                </li>
              )
            })}
          </ul>
        )}
        {url !== null && <LinkToCopy label={words.linkOfAnyone} url={url} />}
        <div className="flex justify-end">
          <Button look="primary" onPress={onClose} data-testid="button-sent-done">
            {words.done}
          </Button>
        </div>
      </div>
    </FormDialog>
  )
}

function LinkToCopy({ label, url }: { readonly label: string; readonly url: string }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast({ title: words.copied, description: words.copiedText }),
      () => toast({ title: words.error, description: words.copyFailed, variant: 'destructive' }),
    )
  return (
    <div className="flex items-end gap-2">
      <TextField label={label} value={url} readOnly className="flex-1" />
      <Button aria-label={words.copy(label)} size="icon" className="size-9!" onPress={copy}>
        <Copy aria-hidden />
      </Button>
    </div>
  )
}
