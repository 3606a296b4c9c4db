import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import type { Typed } from './AuthForm.tsx'
import { AuthLook } from './AuthLook.tsx'

export default function LoginForm({ typed }: { readonly typed: Typed }) {
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { email: '', password: '', ...typed },
    schema: () => import('../../lib/schemas.ts').then(({ loginBody }) => loginBody),
    submit: async (body) => {
      startSession(await call('POST /api/auth/login', { body }))
      toast({ title: 'Welcome back!', description: "You're now signed in." })
    },
    onError: (description) => toast({ title: 'Sign in failed', description, variant: 'destructive' }),
  })
  return (
    <AuthLook
      kind="login"
      formProps={formProps}
      renderField={({ name, ...look }) => <form.AppField name={name}>{(field) => <field.Text {...look} />}</form.AppField>}
      error={<ServerError message={serverError} />}
      renderButton={(text) => <form.Subscribe selector={(state) => state.isSubmitting}>{(pending) => text(pending)}</form.Subscribe>}
    />
  )
}
