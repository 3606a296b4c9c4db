/**
 * Asks for the password before a change, and for a name where the change needs one. A user without a password signs in
 * at the provider once more instead.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statusOf } from '../../lib/error-text.ts'
import { factorsQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { SignInAtProvider } from './SignInAtProvider.tsx'
import { words } from './words.ts'

export interface Proof {
  /** Absent for a user without one. */
  readonly password?: string | undefined
  readonly name: string
}

interface Props {
  readonly title: string
  readonly text: string
  readonly action: string
  /** The action's words while it works. */
  readonly pending: string
  readonly isDangerous?: boolean
  /** A field for a name, above the password. */
  readonly nameField?: { readonly label: string; readonly hint: string }
  /** Under the fields, where the server has nothing to say. */
  readonly note?: string | null
  readonly onProof: (proof: Proof) => Promise<void>
  readonly onClose: () => void
}

export default function AskPassword(props: Props) {
  const { hasPassword = true, confirmedUntil = null, signOn } = useQuery(factorsQuery).data ?? {}
  const [openedAt] = useState(() => new Date().toISOString())
  const isConfirmed = confirmedUntil !== null && confirmedUntil > openedAt
  if (!hasPassword && !isConfirmed) return <SignInAtProvider {...props} provider={signOn?.name ?? ''} />
  return <Ask {...props} hasPassword={hasPassword} />
}

function Ask({ nameField, hasPassword, onProof, ...look }: Props & { readonly hasPassword: boolean }) {
  const { title, text, action, pending, isDangerous, note = null, onClose } = look
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { name: '', password: '' },
    schema: async () => {
      const { loginBody, renamePasskeyBody } = await import('../../lib/schemas.ts')
      const named = nameField ? renamePasskeyBody : renamePasskeyBody.pick({})
      const asked = hasPassword ? named.extend(loginBody.pick({ password: true }).shape) : named
      return asked.transform((given): Proof => ({ name: '', ...given }))
    },
    submit: onProof,
    fieldOf: (error) => (statusOf(error) === 403 && hasPassword ? 'password' : null),
  })
  return (
    <form.Subscribe
      selector={({ values, isSubmitting }) => ({ isSubmitting, unsaved: values.name !== '' || values.password !== '' })}
    >
      {({ isSubmitting, unsaved }) => (
        <FormDialog
          onClose={onClose}
          unsaved={unsaved}
          busy={isSubmitting}
          width="small"
          title={title}
          description={text}
        >
          <form {...formProps} className="flex flex-col gap-4">
            {nameField && (
              <form.AppField name="name">
                {(field) => <field.Text {...nameField} autoComplete="off" focusFirst />}
              </form.AppField>
            )}
            {hasPassword && (
              <form.AppField name="password">
                {(field) => (
                  <field.Text
                    label={words.password}
                    type="password"
                    autoComplete="current-password"
                    refused={refused('password')}
                    focusFirst={!nameField}
                  />
                )}
              </form.AppField>
            )}
            <ServerError message={serverError ?? note} />
            <div className="flex justify-end gap-2 pt-2">
              <Button slot="close">{words.cancel}</Button>
              <Button look={isDangerous ? 'danger' : 'primary'} type="submit" pending={isSubmitting}>
                {isSubmitting ? pending : action}
              </Button>
            </div>
          </form>
        </FormDialog>
      )}
    </form.Subscribe>
  )
}
