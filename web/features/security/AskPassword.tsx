/** Asks for the password before a change. */
import { statusOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { words } from './words.ts'

interface Props {
  readonly title: string
  readonly text: string
  readonly action: string
  /** The action's words while it works. */
  readonly pending: string
  readonly isDangerous?: boolean
  readonly onPassword: (password: string) => Promise<void>
  readonly onClose: () => void
}

export default function AskPassword({ title, text, action, pending, isDangerous, onPassword, onClose }: Props) {
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { password: '' },
    schema: () => import('../../lib/schemas.ts').then(({ passwordProof }) => passwordProof),
    submit: ({ password }) => onPassword(password),
    fieldOf: (error) => (statusOf(error) === 403 ? 'password' : null),
  })
  return (
    <form.Subscribe selector={({ values, isSubmitting }) => ({ isSubmitting, unsaved: values.password !== '' })}>
      {({ isSubmitting, unsaved }) => (
        <FormDialog
          onClose={onClose}
          unsaved={unsaved}
          busy={isSubmitting}
          width="small"
          title={title}
          description={text}
        >
          <form {...formProps} className="flex flex-col gap-4">
            <form.AppField name="password">
              {(field) => (
                <field.Text
                  label={words.password}
                  type="password"
                  autoComplete="current-password"
                  refused={refused('password')}
                  focusFirst
                />
              )}
            </form.AppField>
            <ServerError message={serverError} />
            <div className="flex justify-end gap-2 pt-2">
              <Button slot="close">{words.cancel}</Button>
              <Button look={isDangerous ? 'danger' : 'primary'} type="submit" pending={isSubmitting}>
                {isSubmitting ? pending : action}
              </Button>
            </div>
          </form>
        </FormDialog>
      )}
    </form.Subscribe>
  )
}
