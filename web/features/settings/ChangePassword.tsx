import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { fieldNamedBy, statusOf } from '../../lib/error-text.ts'
import { userKey } from '../../lib/access-queries.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import { WhoseAccount } from './WhoseAccount.tsx'
import { words } from './words.ts'

interface Props {
  readonly email: string
  readonly onClose: () => void
}

export default function ChangePassword({ email, onClose }: Props) {
  const queries = useQueryClient()
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { currentPassword: '', newPassword: '' },
    schema: () => import('../../lib/schemas.ts').then(({ changePasswordBody }) => changePasswordBody),
    submit: async (body) => {
      queries.setQueryData(userKey, await call('POST /api/auth/password', { body }))
      onClose()
      toast({ title: words.password.changed, description: words.password.changedText })
    },
    fieldOf: (error) => (statusOf(error) === 403 ? 'currentPassword' : fieldNamedBy(error, ['newPassword'])),
  })
  return (
    <form.Subscribe
      selector={({ values, isSubmitting }) => ({
        isSubmitting,
        unsaved: Object.values(values).some((each) => each !== ''),
      })}
    >
      {({ isSubmitting, unsaved }) => (
        <FormDialog
          onClose={onClose}
          unsaved={unsaved}
          busy={isSubmitting}
          width="small"
          title={words.password.title}
          description={words.password.text}
        >
          <form {...formProps} className="flex flex-col gap-4">
            <WhoseAccount email={email} />
            <form.AppField name="currentPassword">
              {(field) => (
                <field.Text
                  label={words.password.current}
                  type="password"
                  autoComplete="current-password"
                  refused={refused('currentPassword')}
                  focusFirst
                />
              )}
            </form.AppField>
            <form.AppField name="newPassword">
              {(field) => (
                <field.NewPassword label={words.password.next} email={email} refused={refused('newPassword')} />
              )}
            </form.AppField>
            <ServerError message={serverError} />
            <FormActions pending={isSubmitting} action={words.password.save} pendingAction={words.password.saving} />
          </form>
        </FormDialog>
      )}
    </form.Subscribe>
  )
}
