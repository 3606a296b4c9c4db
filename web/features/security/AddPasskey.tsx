/** Adds a passkey: a name and the password, then the browser's own dialog. */
import { useState } from 'react'
import { statusOf } from '../../lib/error-text.ts'
import { addPasskey } from '../../lib/use-passkey.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { words as allWords } from './words.ts'

const words = allWords.passkeys

interface Props {
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

export default function AddPasskey({ onClose, onDone }: Props) {
  const [isClosed, setClosed] = useState(false)
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { name: '', password: '' },
    schema: () =>
      import('../../lib/schemas.ts').then(({ passwordProof, renamePasskeyBody }) =>
        renamePasskeyBody.extend(passwordProof.shape),
      ),
    submit: async ({ name, password }) => {
      setClosed(false)
      const added = await addPasskey(name, password)
      if (added) onDone(added.recoveryCodes)
      else setClosed(true)
    },
    fieldOf: (error) => (statusOf(error) === 403 ? 'password' : null),
  })
  return (
    <form.Subscribe
      selector={({ values, isSubmitting }) => ({ isSubmitting, unsaved: values.name !== '' || values.password !== '' })}
    >
      {({ isSubmitting, unsaved }) => (
        <FormDialog
          onClose={onClose}
          unsaved={unsaved}
          busy={isSubmitting}
          width="small"
          title={words.title}
          description={words.begin}
        >
          <form {...formProps} className="flex flex-col gap-4">
            <form.AppField name="name">
              {(field) => <field.Text label={words.name} hint={words.nameHint} autoComplete="off" focusFirst />}
            </form.AppField>
            <form.AppField name="password">
              {(field) => (
                <field.Text
                  label={allWords.password}
                  type="password"
                  autoComplete="current-password"
                  refused={refused('password')}
                />
              )}
            </form.AppField>
            <ServerError message={serverError ?? (isClosed ? words.closed : null)} />
            <div className="flex justify-end gap-2 pt-2">
              <Button slot="close">{allWords.cancel}</Button>
              <Button look="primary" type="submit" pending={isSubmitting}>
                {isSubmitting ? words.waiting : words.continue}
              </Button>
            </div>
          </form>
        </FormDialog>
      )}
    </form.Subscribe>
  )
}
