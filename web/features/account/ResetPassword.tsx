import { Check, Clock, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { fieldNamedBy, statusOf } from '../../lib/error-text.ts'
import { isWhole } from '../../lib/mailed-token.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { ForgotForm } from '../landing/ForgotForm.tsx'
import { askWhoIsThere, GoOn, LinkPage, useMailedToken, Words } from './LinkPage.tsx'
import { words } from './words.ts'

export function ResetPassword() {
  const token = useMailedToken()
  return (
    <LinkPage title={words.reset.pageTitle}>
      <Steps key={token} token={token} />
    </LinkPage>
  )
}

function Steps({ token }: { readonly token: string }) {
  const [state, setState] = useState<'open' | 'done' | 'over'>('open')
  if (state === 'done') {
    return (
      <>
        <Words icon={<Check />} tone="good" title={words.reset.done} text={words.reset.doneText} takesFocus />
        <GoOn />
      </>
    )
  }
  if (!isWhole(token))
    return <NewLink title={words.reset.incomplete} text={words.reset.incompleteText} takesFocus={false} />
  if (state === 'over') return <NewLink title={words.reset.over} text={words.reset.overText} takesFocus />
  return <Choose token={token} onDone={() => setState('done')} onOver={() => setState('over')} />
}

function NewLink({
  title,
  text,
  takesFocus,
}: {
  readonly title: string
  readonly text: string
  readonly takesFocus: boolean
}) {
  return (
    <>
      <Words icon={<Clock />} tone="over" title={title} text={text} takesFocus={takesFocus} />
      <div className="mt-6 border-t border-line pt-6">
        <ForgotForm email="" isPartOfPage />
      </div>
    </>
  )
}

interface ChooseProps {
  readonly token: string
  readonly onDone: () => void
  readonly onOver: () => void
}

function Choose({ token, onDone, onOver }: ChooseProps) {
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { password: '' },
    schema: () =>
      import('../../lib/schemas.ts').then(({ resetPasswordBody }) => resetPasswordBody.pick({ password: true })),
    submit: async ({ password }) => {
      try {
        await call('POST /api/auth/reset', { body: { token, password } })
      } catch (error) {
        if (statusOf(error) !== 403) throw error
        return onOver()
      }
      await askWhoIsThere()
      onDone()
    },
    fieldOf: (error) => fieldNamedBy(error, ['password']),
  })
  return (
    <>
      <Words icon={<KeyRound />} title={words.reset.title} text={words.reset.text} />
      <form {...formProps} className="mt-6 flex flex-col gap-4">
        <form.AppField name="password">
          {(field) => <field.NewPassword label={words.reset.password} refused={refused('password')} focusFirst />}
        </form.AppField>
        <ServerError message={serverError} />
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(pending) => (
            <PlainButton look="primary" wide type="submit" pending={pending}>
              {pending ? words.reset.pending : words.reset.action}
            </PlainButton>
          )}
        </form.Subscribe>
      </form>
    </>
  )
}
