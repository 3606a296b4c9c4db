import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { fieldNamedBy, statusOf } from '../../lib/error-text.ts'
import { userKey } from '../../lib/access-queries.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { SmallForm } from './SmallForm.tsx'
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
      {(state) => (
        <SmallForm
          {...state}
          title={words.password.title}
          text={words.password.text}
          action={words.password.save}
          pendingAction={words.password.saving}
          serverError={serverError}
          formProps={formProps}
          onClose={onClose}
        >
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
        </SmallForm>
      )}
    </form.Subscribe>
  )
}
