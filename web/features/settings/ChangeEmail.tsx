import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { statusOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SentNote } from '../../ui/SentNote.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { WhoseAccount } from './WhoseAccount.tsx'

interface Props {
  readonly email: string
  readonly onClose: () => void
}

const same = new Error('This is your address already.')

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
      <FormDialog onClose={onClose} unsaved={false} width="small" title="Change E-mail">
        <SentNote
          title="Look into your e-mail"
          text={`We sent a link to ${sentTo}. Your address changes when you open it.`}
          onAgain={() => setSentTo(null)}
        />
        <div className="mt-6 flex justify-end">
          <Button look="primary" onPress={onClose}>
            Done
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
      {({ isSubmitting, unsaved }) => (
        <FormDialog
          onClose={onClose}
          unsaved={unsaved}
          busy={isSubmitting}
          width="small"
          title="Change E-mail"
          description="We send a link to the new address. Until you open it, you sign in with the old one."
        >
          <form {...formProps} className="flex flex-col gap-4">
            <WhoseAccount email={now} />
            <form.AppField name="email">
              {(field) => (
                <field.Text
                  label="New e-mail address"
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
                  label="Your password"
                  type="password"
                  autoComplete="current-password"
                  refused={refused('password')}
                />
              )}
            </form.AppField>
            <ServerError message={serverError} />
            <div className="flex justify-end gap-2 pt-2">
              <Button slot="close">Cancel</Button>
              <Button look="primary" type="submit" pending={isSubmitting}>
                {isSubmitting ? 'Sending…' : 'Send the Link'}
              </Button>
            </div>
          </form>
        </FormDialog>
      )}
    </form.Subscribe>
  )
}
