/** Renames an account that was never connected, or removes it. */
import { useMutation } from '@tanstack/react-query'
import { useStore } from '@tanstack/react-form'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { afterAccountChange } from '../../lib/refetch.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import { accountWords as words } from './account-words.ts'

interface Props {
  readonly account: SocialAccount
  readonly onClose: () => void
}

export default function EditAccount({ account: { id, accountName, accountUrl }, onClose }: Props) {
  const params = { id }
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { accountName, accountUrl: accountUrl ?? '' },
    schema: () => import('../../lib/schemas.ts').then(({ accountChangesSchema }) => accountChangesSchema),
    submit: async (body) => {
      if (body.accountName !== accountName || body.accountUrl !== accountUrl) {
        await call('PATCH /api/social-accounts/{id}', { params, body })
        await afterAccountChange()
        toast(words.updated(body.accountName))
      } else toast(words.nothingChanged)
      onClose()
    },
    onError: (description) => toast({ title: 'Error', description, variant: 'destructive' }),
  })
  const remove = useMutation({
    mutationFn: () => call('POST /api/social-accounts/{id}/remove', { params }),
    onSuccess: async () => {
      onClose()
      await afterAccountChange()
      toast(words.removed(accountName))
    },
    onError: (error) => toastFailure(words.removeFailed, error),
  })
  const unsaved = useStore(form.store, (state) => !state.isDefaultValue)
  return (
    <FormDialog onClose={onClose} unsaved={unsaved} title={words.editTitle}>
      <form {...formProps} className="flex flex-col gap-4">
        <form.AppField name="accountName">
          {(field) => <field.Text label={words.accountName} required focusFirst />}
        </form.AppField>
        <form.AppField name="accountUrl">
          {(field) => <field.Text label={words.accountUrl} type="url" placeholder="https://" />}
        </form.AppField>
        <ServerError message={serverError} />
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button
            look="dangerQuiet"
            className="mr-auto -ml-3.5"
            pending={remove.isPending}
            onPress={() => remove.mutate()}
          >
            {words.remove}
          </Button>
          <Button slot="close">{words.cancel}</Button>
          <form.Subscribe selector={(state) => state.isSubmitting}>
            {(pending) => (
              <Button look="primary" type="submit" pending={pending}>
                {pending ? words.saving : words.save}
              </Button>
            )}
          </form.Subscribe>
        </div>
      </form>
    </FormDialog>
  )
}
