import { useStore } from '@tanstack/react-form'
import type { ClientContact } from '../../../api/contract/index.ts'
import { callOnce } from '../../lib/call.ts'
import { fieldNamedBy } from '../../lib/error-text.ts'
import { putContact } from '../../lib/review-queries.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { Button } from '../Button.tsx'
import { useSchemaForm } from '../form.tsx'
import { ServerError } from '../ServerError.tsx'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly onAdded: (contact: ClientContact) => void
  readonly onCancel: () => void
}

/** Adds a person of the client, in place. */
export function ContactForm({ clientId, onAdded, onCancel }: Props) {
  const once = useIdempotencyKey()
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { name: '', email: '' },
    schema: () => import('../../lib/schemas.ts').then(({ contactBody }) => contactBody),
    submit: async (body) => {
      const sent = { params: { id: clientId }, body }
      const contact = await callOnce('POST /api/clients/{id}/contacts', once(sent), sent)
      putContact(clientId, contact)
      onAdded(contact)
    },
    fieldOf: (error) => fieldNamedBy(error, ['name', 'email']),
  })
  const pending = useStore(form.store, ({ isSubmitting }) => isSubmitting)
  return (
    <form
      {...formProps}
      className="flex flex-col gap-3 rounded-card border border-line p-4"
      data-testid="form-contact"
      aria-label={words.addContact}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <form.AppField name="name">
          {(field) => (
            <field.Text label={words.contactName} required focusFirst autoComplete="off" refused={refused('name')} />
          )}
        </form.AppField>
        <form.AppField name="email">
          {(field) => (
            <field.Text
              label={words.contactEmail}
              type="email"
              required
              autoComplete="off"
              spellCheck={false}
              refused={refused('email')}
            />
          )}
        </form.AppField>
      </div>
      <ServerError message={serverError} />
      <div className="flex gap-2">
        <Button type="submit" pending={pending} data-testid="button-add-contact">
          {pending ? words.adding : words.add}
        </Button>
        <Button look="quiet" onPress={onCancel}>
          {words.cancelAdding}
        </Button>
      </div>
    </form>
  )
}
