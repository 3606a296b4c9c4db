import { call } from '../../lib/call.ts'
import { fieldNamedBy } from '../../lib/error-text.ts'
import { startSession } from '../../lib/session.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import type { LiveProps } from './AuthForm.tsx'
import { AuthLook } from './AuthLook.tsx'
import { authWords as words } from './auth-words.ts'

export default function RegisterForm({ typed, isPasswordShown }: LiveProps) {
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { firstName: '', lastName: '', email: '', password: '', ...typed },
    schema: () => import('../../lib/schemas.ts').then(({ registerBody }) => registerBody),
    submit: async (body) => {
      await startSession(await call('POST /api/auth/register', { body }))
      toast({ title: words.register.done, description: words.register.doneText })
    },
    fieldOf: (error) => fieldNamedBy(error, ['password']),
    onError: (description) => toast({ title: words.register.failed, description, variant: 'destructive' }),
  })
  return (
    <AuthLook
      kind="register"
      formProps={formProps}
      renderField={({ name, ...look }) =>
        name === 'password' ? (
          <form.Subscribe selector={({ values }) => values.email}>
            {(email) => (
              <form.AppField name={name}>
                {(field) => (
                  <field.NewPassword
                    label={look.label}
                    email={email}
                    isShownAtFirst={isPasswordShown}
                    refused={refused('password')}
                  />
                )}
              </form.AppField>
            )}
          </form.Subscribe>
        ) : (
          <form.AppField name={name}>{(field) => <field.Text {...look} />}</form.AppField>
        )
      }
      error={<ServerError message={serverError} />}
      renderButton={(text) => (
        <form.Subscribe selector={(state) => state.isSubmitting}>{(pending) => text(pending)}</form.Subscribe>
      )}
    />
  )
}
