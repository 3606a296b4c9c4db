import type { Passkey } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { words as allWords } from './words.ts'

const words = allWords.passkeys

interface Props {
  readonly passkey: Passkey
  readonly onClose: () => void
  readonly onDone: () => void
}

export default function RenamePasskey({ passkey: { id, name }, onClose, onDone }: Props) {
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { name },
    schema: () => import('../../lib/schemas.ts').then(({ renamePasskeyBody }) => renamePasskeyBody),
    submit: async (body) => {
      await call('PATCH /api/auth/passkeys/{id}', { params: { id }, body })
      onDone()
    },
  })
  return (
    <form.Subscribe selector={({ values, isSubmitting }) => ({ isSubmitting, unsaved: values.name !== name })}>
      {({ isSubmitting, unsaved }) => (
        <FormDialog onClose={onClose} unsaved={unsaved} busy={isSubmitting} width="small" title={words.renameTitle}>
          <form {...formProps} className="flex flex-col gap-4">
            <form.AppField name="name">
              {(field) => <field.Text label={words.name} autoComplete="off" focusFirst />}
            </form.AppField>
            <ServerError message={serverError} />
            <div className="flex justify-end gap-2 pt-2">
              <Button slot="close">{allWords.cancel}</Button>
              <Button look="primary" type="submit" pending={isSubmitting}>
                {isSubmitting ? words.saving : words.save}
              </Button>
            </div>
          </form>
        </FormDialog>
      )}
    </form.Subscribe>
  )
}
