import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { statusOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SentNote } from '../../ui/SentNote.tsx'
import { SmallForm } from './SmallForm.tsx'
import { WhoseAccount } from './WhoseAccount.tsx'
import { words } from './words.ts'

interface Props {
  readonly email: string
  readonly onClose: () => void
}

const same = new Error(words.email.same)

export default function ChangeEmail({ email: now, onClose }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { email: '', password: '' },
    schema: () => import('../../lib/schemas.ts').then(({ changeEmailBody }) => changeEmailBody),
    submit: async (body) => {
      if (body.email === now) throw same
      await call('POST /api/auth/email', { body })
      setSentTo(body.email)
    },
    fieldOf: (error) => (error === same ? 'email' : statusOf(error) === 403 ? 'password' : null),
  })
  if (sentTo !== null) {
    return (
      <FormDialog onClose={onClose} unsaved={false} width="small" title={words.email.title}>
        <SentNote title={words.email.sent} text={words.email.sentText(sentTo)} onAgain={() => setSentTo(null)} />
        <div className="mt-6 flex justify-end">
          <Button look="primary" onPress={onClose}>
            {words.done}
          </Button>
        </div>
      </FormDialog>
    )
  }
  return (
    <form.Subscribe
      selector={({ values, isSubmitting }) => ({
        isSubmitting,
        unsaved: Object.values(values).some((each) => each !== ''),
      })}
    >
      {(state) => (
        <SmallForm
          {...state}
          title={words.email.title}
          text={words.email.text}
          action={words.email.send}
          pendingAction={words.email.sending}
          serverError={serverError}
          formProps={formProps}
          onClose={onClose}
        >
          <WhoseAccount email={now} />
          <form.AppField name="email">
            {(field) => (
              <field.Text
                label={words.email.address}
                type="email"
                autoComplete="email"
                refused={refused('email')}
                focusFirst
              />
            )}
          </form.AppField>
          <form.AppField name="password">
            {(field) => (
              <field.Text
                label={words.email.password}
                type="password"
                autoComplete="current-password"
                refused={refused('password')}
              />
            )}
          </form.AppField>
        </SmallForm>
      )}
    </form.Subscribe>
  )
}
