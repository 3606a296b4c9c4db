import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'

export function RegisterForm() {
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { firstName: '', lastName: '', email: '', password: '' },
    schema: () => import('../../lib/schemas.ts').then(({ registerBody }) => registerBody),
    submit: async (body) => {
      startSession(await call('POST /api/auth/register', { body }))
      toast({ title: 'Account created!', description: "You're all set to get started." })
    },
    onError: (description) => toast({ title: 'Sign up failed', description, variant: 'destructive' }),
  })
  return (
    <form {...formProps} aria-labelledby="register-title" className="flex flex-col gap-4">
      <div>
        <h2 id="register-title" className="text-xl font-semibold">
          Create your agency account
        </h2>
        <p className="mt-1 text-quiet">Begin your 7-day free trial with no credit card required.</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="firstName">{(field) => <field.Text label="First Name" autoComplete="given-name" />}</form.AppField>
        <form.AppField name="lastName">{(field) => <field.Text label="Last Name" autoComplete="family-name" />}</form.AppField>
      </div>
      <form.AppField name="email">{(field) => <field.Text label="Email" type="email" autoComplete="email" />}</form.AppField>
      <form.AppField name="password">
        {(field) => <field.Text label="Password" type="password" autoComplete="new-password" hint="At least 8 characters." />}
      </form.AppField>
      <ServerError message={serverError} />
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button look="primary" wide type="submit" pending={pending}>
            {pending ? 'Creating account…' : 'Create Account'}
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}
