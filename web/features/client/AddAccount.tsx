import { useStore } from '@tanstack/react-form'
import { callOnce } from '../../lib/call.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { platformList, platformLook } from '../../lib/platforms.ts'
import { afterAccountChange } from '../../lib/refetch.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { firstError, useSchemaForm } from '../../ui/form.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'

interface Props {
  readonly clientId: string
  readonly onClose: () => void
}

const platforms = platformList.map((id) => ({ id, label: platformLook[id].name, icon: <PlatformIcon platform={id} /> }))

export default function AddAccount({ clientId, onClose }: Props) {
  const once = useIdempotencyKey()
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { platform: '', accountName: '', accountUrl: '' },
    schema: () => import('../../lib/schemas.ts').then(({ newAccountSchema }) => newAccountSchema),
    submit: async (body) => {
      await callOnce('POST /api/clients/{id}/social-accounts', once(body), { params: { id: clientId }, body })
      await afterAccountChange()
      onClose()
      toast({ title: 'Account added', description: `Connect ${body.accountName} so that posts can be published.` })
    },
    onError: (description) => toast({ title: 'Error', description, variant: 'destructive' }),
  })
  const unsaved = useStore(form.store, ({ values }) => values.accountName !== '' || values.accountUrl !== '')
  return (
    <FormDialog
      onClose={onClose}
      unsaved={unsaved}
      title="Add Social Account"
      description="Name it as the network does. You connect it in the next step."
    >
      <form {...formProps} className="flex flex-col gap-4">
        <form.AppField name="platform">
          {(field) => (
            <Select
              label="Platform"
              placeholder="Select a platform"
              required
              testId="select-platform"
              options={platforms}
              value={field.state.value || null}
              onChange={field.handleChange}
              error={firstError(field.state.meta.errors)}
            />
          )}
        </form.AppField>
        <form.AppField name="accountName">
          {(field) => <field.Text label="Account Name" placeholder="@bluecup" required />}
        </form.AppField>
        <form.AppField name="accountUrl">
          {(field) => <field.Text label="Account URL" type="url" placeholder="https://" />}
        </form.AppField>
        <ServerError message={serverError} />
        <div className="flex justify-end gap-2 pt-2">
          <Button slot="close">Cancel</Button>
          <form.Subscribe selector={(state) => state.isSubmitting}>
            {(pending) => (
              <Button look="primary" type="submit" pending={pending}>
                {pending ? 'Adding...' : 'Add Account'}
              </Button>
            )}
          </form.Subscribe>
        </div>
      </form>
    </FormDialog>
  )
}
