import { useState, type ReactNode } from 'react'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { SentNote } from '../../ui/SentNote.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { authWords } from './auth-words.ts'
import { forgotWords as words } from './forgot-words.ts'

interface Props {
  readonly email: string
  /** Passes the address as it is now; without it the form has no way back. */
  readonly onBack?: (email: string) => void
  /** Set on a page of its own, whose heading already says what the form is for. */
  readonly isPartOfPage?: boolean
}

export function ForgotForm({ email, onBack, isPartOfPage = false }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { email },
    schema: () => import('../../lib/schemas.ts').then(({ forgotPasswordBody }) => forgotPasswordBody),
    submit: async (body) => {
      await call('POST /api/auth/forgot', { body })
      setSentTo(body.email)
    },
  })
  const back = onBack && (
    <PlainButton
      look="link"
      size="inline"
      className="-my-1 self-center py-1"
      onPress={() => onBack(form.state.values.email)}
    >
      {words.back}
    </PlainButton>
  )
  if (sentTo !== null) {
    return (
      <div className="flex flex-col gap-4">
        <SentNote title={words.sent} text={words.sentText} to={sentTo} onAgain={() => setSentTo(null)} />
        {back}
      </div>
    )
  }
  return (
    <form
      {...formProps}
      {...(isPartOfPage ? { 'aria-label': words.form } : { 'aria-labelledby': 'forgot-title' })}
      className="flex flex-col gap-4"
    >
      {!isPartOfPage && <Intro>{words.text}</Intro>}
      <form.AppField name="email">
        {(field) => (
          <field.Text label={authWords.fields.email} type="email" autoComplete="email" focusFirst={!isPartOfPage} />
        )}
      </form.AppField>
      <ServerError message={serverError} />
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <PlainButton look="primary" wide type="submit" pending={pending}>
            {pending ? words.sending : words.send}
          </PlainButton>
        )}
      </form.Subscribe>
      {back}
    </form>
  )
}

const Intro = ({ children }: { readonly children: ReactNode }) => (
  <div>
    <h2 id="forgot-title" className="text-xl font-semibold">
      {authWords.forgotQuestion}
    </h2>
    <p className="mt-1 text-quiet">{children}</p>
  </div>
)
