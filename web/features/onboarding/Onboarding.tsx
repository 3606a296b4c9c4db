import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { endSession } from '../../lib/session.ts'
import { agencyQuery, userQuery } from '../../lib/access-queries.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { useTitle } from '../../ui/PageHeader.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

export function Onboarding() {
  useTitle(words.pageTitle)
  const { data: user } = useQuery(userQuery)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { name: '', email: user?.email ?? '' },
    schema: () => import('../../lib/schemas.ts').then(({ agencyBody }) => agencyBody),
    submit: async ({ name, email }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      await call('POST /api/agency', { body: { name, email, timeZone } })
      toast({ title: words.created, description: words.createdText })
      await queries.invalidateQueries({ queryKey: agencyQuery.queryKey })
      await navigate({ to: '/', replace: true })
    },
    onError: (description) => toast({ title: words.error, description, variant: 'destructive' }),
  })
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-form">
        <LogoMark className="mb-6 size-10" />
        <h1 className="text-2xl font-semibold tracking-tight">{words.heading}</h1>
        <p className="mt-2 text-lg text-quiet">{words.text}</p>
        <form {...formProps} className="mt-8 flex flex-col gap-4 rounded-dialog border border-line bg-surface p-6">
          <form.AppField name="name">
            {(field) => <field.Text label={words.name} autoComplete="organization" />}
          </form.AppField>
          <form.AppField name="email">
            {(field) => <field.Text label={words.email} type="email" autoComplete="email" />}
          </form.AppField>
          <ServerError message={serverError} />
          <form.Subscribe selector={(state) => state.isSubmitting}>
            {(pending) => (
              <Button look="primary" wide type="submit" pending={pending}>
                {pending ? words.creating : words.create}
              </Button>
            )}
          </form.Subscribe>
        </form>
        <p className="mt-6 text-sm text-quiet">
          {words.notYou}{' '}
          <a
            href="/api/logout"
            onClick={endSession}
            onAuxClick={endSession}
            className="text-accent-ink underline underline-offset-4"
            data-testid="button-logout"
          >
            {words.signOut}
          </a>
        </p>
      </div>
    </main>
  )
}
