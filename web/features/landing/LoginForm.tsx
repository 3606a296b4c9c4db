import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import type { Typed } from './AuthForm.tsx'
import { AuthLook, ForgotButton } from './AuthLook.tsx'
import { authWords as words } from './auth-words.ts'

interface Props {
  readonly typed: Typed
  /** From where the password was forgotten: the keyboard goes on with what is missing. */
  readonly isBack: boolean
  readonly onForgot: (typed: Typed) => void
}

export function LoginForm({ typed, isBack, onForgot }: Props) {
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { email: '', password: '', ...typed },
    schema: () => import('../../lib/schemas.ts').then(({ loginBody }) => loginBody),
    submit: async (body) => {
      startSession(await call('POST /api/auth/login', { body }))
      toast({ title: words.login.done, description: words.login.doneText })
    },
    onError: (description) => toast({ title: words.login.failed, description, variant: 'destructive' }),
  })
  const missing = typed['email'] ? 'password' : 'email'
  return (
    <AuthLook
      kind="login"
      formProps={formProps}
      renderField={({ name, ...look }) => (
        <form.AppField name={name}>
          {(field) => <field.Text {...look} focusFirst={isBack && name === missing} />}
        </form.AppField>
      )}
      error={<ServerError message={serverError} />}
      renderButton={(text) => (
        <form.Subscribe selector={(state) => state.isSubmitting}>{(pending) => text(pending)}</form.Subscribe>
      )}
      below={<ForgotButton onPress={() => onForgot(form.state.values)} />}
    />
  )
}
