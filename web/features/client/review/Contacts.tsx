/** A client's people who may be asked for review. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2, UserPlus } from 'lucide-react'
import { useRef, useState, type ComponentProps } from 'react'
import type { ClientContact } from '../../../../api/contract/index.ts'
import { call } from '../../../lib/call.ts'
import { formatDate } from '../../../lib/dates.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { afterContactChange, contactsQuery } from '../../../lib/review-queries.ts'
import { useMay, useZone } from '../../../lib/use-agency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { PlainButton } from '../../../ui/PlainButton.tsx'
import { ContactForm } from '../../../ui/review/ContactForm.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { words } from './words.ts'

type ConfirmProps = ComponentProps<(typeof import('../../../ui/ConfirmDialog.tsx'))['ConfirmDialog']>
const ConfirmDialog = lazyDialog<ConfirmProps>(() =>
  import('../../../ui/ConfirmDialog.tsx').then((loaded) => ({ default: loaded.ConfirmDialog })),
)

const EraseReviewer = lazyDialog(() => import('./EraseReviewer.tsx'))

const maxContacts = 20

export function Contacts({ clientId }: { readonly clientId: string }) {
  const zone = useZone()
  const contacts = useQuery(contactsQuery(clientId))
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<ClientContact | null>(null)
  const [erasing, setErasing] = useState<ClientContact | null>(null)
  const mayErase = useMay('owner')
  const addButton = useRef<HTMLButtonElement>(null)
  const closeForm = () => {
    setAdding(false)
    requestAnimationFrame(() => addButton.current?.focus())
  }
  const remove = useMutation({
    mutationFn: (contactId: string) =>
      call('DELETE /api/clients/{id}/contacts/{contactId}', { params: { id: clientId, contactId } }),
    onSuccess: async () => {
      setRemoving(null)
      await afterContactChange(clientId)
      toast({ title: words.removed })
      addButton.current?.focus()
    },
    onError: (error) => toastFailure(words.removeFailed, error),
  })
  const isFull = (contacts.data?.length ?? 0) >= maxContacts
  return (
    <Card data-testid="card-contacts">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{words.contacts}</h2>
        {contacts.isSuccess && !isAdding && !isFull && (
          <PlainButton ref={addButton} size="sm" onPress={() => setAdding(true)} data-testid="button-new-contact">
            <UserPlus aria-hidden />
            {words.add}
          </PlainButton>
        )}
      </div>
      <p className="mt-2 text-sm text-quiet">{isFull ? words.full(maxContacts) : words.contactsText}</p>
      {contacts.isPending && (
        <>
          <output className="sr-only">{words.loadingContacts}</output>
          <Skeleton className="mt-3 h-12" />
        </>
      )}
      {contacts.isError && (
        <LoadError what={words.theContacts} error={contacts.error} onRetry={() => void contacts.refetch()} />
      )}
      {isAdding && (
        <div className="mt-4">
          <ContactForm clientId={clientId} onAdded={closeForm} onCancel={closeForm} />
        </div>
      )}
      {contacts.data?.length === 0 && !isAdding && <p className="mt-3 text-quiet">{words.noContacts}</p>}
      <ul className="mt-3 flex flex-col divide-y divide-line empty:hidden">
        {contacts.data?.map((contact) => (
          <li key={contact.id} className="flex items-center gap-3 py-3" data-testid="contact">
            <div className="min-w-0 flex-1">
              <p dir="auto" className="font-medium wrap-anywhere">
                {contact.name}
              </p>
              <p className="text-sm wrap-anywhere text-quiet">{contact.email}</p>
              <p className="text-sm wrap-anywhere text-quiet">
                {words.enteredBy(contact.enteredBy, formatDate(contact.addedAt, zone))}
              </p>
            </div>
            <Button
              look="dangerQuiet"
              size="icon"
              aria-label={words.removeOf(contact.name)}
              onPress={() => setRemoving(contact)}
            >
              <Trash2 aria-hidden />
            </Button>
            {mayErase && (
              <Button
                look="dangerQuiet"
                size="sm"
                aria-label={words.eraseOf(contact.name)}
                onPress={() => setErasing(contact)}
                data-testid="button-erase"
              >
                {words.erase}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {erasing && (
        <EraseReviewer
          clientId={clientId}
          person={erasing}
          onErased={() => addButton.current?.focus()}
          onClose={() => setErasing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          open
          onClose={() => setRemoving(null)}
          title={words.removeTitle(removing.name)}
          action={words.remove}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing.id)}
        >
          {words.removeText}
        </ConfirmDialog>
      )}
    </Card>
  )
}
