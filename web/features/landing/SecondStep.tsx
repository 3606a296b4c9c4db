/** The second step of signing in: a code, or a passkey. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { canUsePasskeys } from '../../lib/passkeys.ts'
import { pageAgency, startSession } from '../../lib/session.ts'
import type { User } from '../../../api/contract/index.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import { authWords } from './auth-words.ts'
import { secondStepWords as words } from './second-step-words.ts'

const methodsQuery = {
  queryKey: ['sign-in'],
  queryFn: () => call('GET /api/auth/sign-in'),
  staleTime: 0,
  gcTime: 0,
} as const

async function done(user: User) {
  await startSession(user)
  toast({ title: authWords.login.done, description: authWords.login.doneText })
}

export default function SecondStep({ onBack }: { readonly onBack: () => void }) {
  const methods = useQuery(methodsQuery).data?.methods
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { code: '' },
    schema: () => import('../../lib/schemas.ts').then(({ codeBody }) => codeBody),
    submit: async (body) => done(await call('POST /api/auth/sign-in/code', { body: { ...body, ...pageAgency() } })),
  })
  const hasApp = methods?.includes('app') ?? true
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 id="second-step-title" className="text-xl font-semibold">
          {words.title}
        </h2>
        <p className="mt-1 text-quiet">{hasApp ? words.text : words.textWithoutApp}</p>
      </div>
      {methods?.includes('passkey') && canUsePasskeys() && <ByPasskey isFirst={!hasApp} />}
      <form {...formProps} aria-labelledby="second-step-title" className="flex flex-col gap-4">
        <form.AppField name="code">
          {(field) => (
            <field.Text
              label={hasApp ? words.code : words.recoveryCode}
              hint={hasApp ? words.codeHint : words.recoveryHint}
              autoComplete="one-time-code"
              spellCheck={false}
              focusFirst
            />
          )}
        </form.AppField>
        <ServerError message={serverError} />
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(pending) => (
            <PlainButton look="primary" wide type="submit" pending={pending}>
              {pending ? words.checking : words.action}
            </PlainButton>
          )}
        </form.Subscribe>
      </form>
      <PlainButton look="link" size="inline" className="-my-1 self-center py-1" onPress={onBack}>
        {words.back}
      </PlainButton>
    </div>
  )
}

function ByPasskey({ isFirst }: { readonly isFirst: boolean }) {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const use = async () => {
    setPending(true)
    setFailure(null)
    try {
      const { signInWithPasskey } = await import('../../lib/use-passkey.ts')
      const user = await signInWithPasskey('second')
      if (user) await done(user)
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <PlainButton
        look={isFirst ? 'primary' : 'secondary'}
        wide
        pending={pending}
        onPress={() => void use()}
        data-testid="button-use-passkey"
      >
        {pending ? words.waiting : words.passkey}
      </PlainButton>
      <ServerError message={failure} />
    </>
  )
}
