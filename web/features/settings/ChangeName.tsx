import { useQueryClient } from '@tanstack/react-query'
import type { User } from '../../../api/contract/index.ts'
import { userQuery } from '../../lib/access-queries.ts'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { SmallForm } from './SmallForm.tsx'
import { words } from './words.ts'

interface Props {
  readonly user: User
  readonly onClose: () => void
}

export default function ChangeName({ user, onClose }: Props) {
  const queries = useQueryClient()
  const now = { firstName: user.firstName ?? '', lastName: user.lastName ?? '' }
  const { form, serverError, formProps } = useSchemaForm({
    defaults: now,
    schema: () => import('../../lib/schemas.ts').then(({ ownNameBody }) => ownNameBody),
    submit: async (body) => {
      queries.setQueryData(userQuery.queryKey, await call('PATCH /api/auth/user', { body }))
      toast({ title: words.name.saved })
      onClose()
    },
  })
  return (
    <form.Subscribe
      selector={({ values, isSubmitting }) => ({
        isSubmitting,
        unsaved: values.firstName !== now.firstName || values.lastName !== now.lastName,
      })}
    >
      {(state) => (
        <SmallForm
          {...state}
          title={words.name.title}
          text={words.name.text}
          action={words.name.save}
          pendingAction={words.name.saving}
          serverError={serverError}
          formProps={formProps}
          onClose={onClose}
        >
          <form.AppField name="firstName">
            {(field) => <field.Text label={words.name.first} autoComplete="given-name" focusFirst />}
          </form.AppField>
          <form.AppField name="lastName">
            {(field) => <field.Text label={words.name.last} autoComplete="family-name" />}
          </form.AppField>
        </SmallForm>
      )}
    </form.Subscribe>
  )
}
