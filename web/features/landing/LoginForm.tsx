import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'

export function LoginForm() {
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { email: '', password: '' },
    schema: () => import('../../lib/schemas.ts').then(({ loginBody }) => loginBody),
    submit: async (body) => {
      startSession(await call('POST /api/auth/login', { body }))
      toast({ title: 'Welcome back!', description: "You're now signed in." })
    },
    onError: (description) => toast({ title: 'Sign in failed', description, variant: 'destructive' }),
  })
  return (
    <form {...formProps} aria-labelledby="login-title" className="flex flex-col gap-4">
      <div>
        <h2 id="login-title" className="text-xl font-semibold">
          Welcome back
        </h2>
        <p className="mt-1 text-quiet">Sign in to manage your clients and content calendar.</p>
      </div>
      <form.AppField name="email">{(field) => <field.Text label="Email" type="email" autoComplete="email" />}</form.AppField>
      <form.AppField name="password">
        {(field) => <field.Text label="Password" type="password" autoComplete="current-password" />}
      </form.AppField>
      <ServerError message={serverError} />
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button look="primary" wide type="submit" pending={pending}>
            {pending ? 'Signing in…' : 'Sign In'}
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}
