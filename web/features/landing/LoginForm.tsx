import { callForProblem } from '../../lib/call.ts'
import { problemIn } from '../../lib/problem-in.ts'
import { pageAgency, startSession } from '../../lib/session.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import type { Typed } from './AuthForm.tsx'
import { AuthLook, LoginBelow } from './AuthLook.tsx'
import { authWords as words } from './auth-words.ts'

interface Props {
  readonly typed: Typed
  /** From where the password was forgotten: the keyboard goes on with what is missing. */
  readonly isBack: boolean
  /** The button for passkeys was pressed before this form was loaded. */
  readonly startsWithPasskey: boolean
  /** Why single sign-on did not sign in. */
  readonly refusal: string | null
  readonly onForgot: (typed: Typed) => void
  /** The password was right, and a second factor is needed. */
  readonly onSecondStep: (email: string) => void
}

export function LoginForm({ typed, isBack, startsWithPasskey, refusal, onForgot, onSecondStep }: Props) {
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { email: '', password: '', ...typed },
    schema: () => import('../../lib/schemas.ts').then(({ loginBody }) => loginBody),
    submit: async (body) => {
      const user = await callForProblem('POST /api/auth/login', { body: { ...body, ...pageAgency() } }).catch(
        unlessHalfDone,
      )
      if (!user) return onSecondStep(body.email)
      await startSession(user)
      toast({ title: words.login.done, description: words.login.doneText })
    },
    onError: (description) => toast({ title: words.login.failed, description, variant: 'destructive' }),
  })
  const { pending, ask } = usePasskeySignIn(startsWithPasskey)
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
      error={<ServerError message={serverError ?? refusal} />}
      renderButton={(text) => (
        <form.Subscribe selector={(state) => state.isSubmitting}>{(pending) => text(pending)}</form.Subscribe>
      )}
      below={
        <LoginBelow pending={pending} onPress={(what) => (what === 'forgot' ? onForgot(form.state.values) : ask())} />
      }
    />
  )
}

function unlessHalfDone(error: unknown): null {
  const problem = problemIn(error)
  if (problem?.type === 'second-factor-required') return null
  throw problem?.asError ?? error
}
