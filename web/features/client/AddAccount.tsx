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
import { accountWords as words } from './account-words.ts'

interface Props {
  readonly clientId: string
  readonly onClose: () => void
}

const platforms = platformList.map((id) => ({
  id,
  label: platformLook[id].title,
  icon: <PlatformIcon platform={id} />,
}))

export default function AddAccount({ clientId, onClose }: Props) {
  const once = useIdempotencyKey()
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { platform: '', accountName: '', accountUrl: '' },
    schema: () => import('../../lib/schemas.ts').then(({ newAccountSchema }) => newAccountSchema),
    submit: async (body) => {
      await callOnce('POST /api/clients/{id}/social-accounts', once(body), { params: { id: clientId }, body })
      await afterAccountChange()
      onClose()
      toast(words.added(body.accountName))
    },
    onError: (description) => toast({ title: 'Error', description, variant: 'destructive' }),
  })
  const unsaved = useStore(form.store, ({ values }) => values.accountName !== '' || values.accountUrl !== '')
  return (
    <FormDialog onClose={onClose} unsaved={unsaved} title={words.addTitle} description={words.addText}>
      <form {...formProps} className="flex flex-col gap-4">
        <form.AppField name="platform">
          {(field) => (
            <Select
              label={words.platform}
              placeholder={words.selectPlatform}
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
          {(field) => <field.Text label={words.accountName} placeholder="@bluecup" required />}
        </form.AppField>
        <form.AppField name="accountUrl">
          {(field) => <field.Text label={words.accountUrl} type="url" placeholder="https://" />}
        </form.AppField>
        <ServerError message={serverError} />
        <div className="flex justify-end gap-2 pt-2">
          <Button slot="close">{words.cancel}</Button>
          <form.Subscribe selector={(state) => state.isSubmitting}>
            {(pending) => (
              <Button look="primary" type="submit" pending={pending}>
                {pending ? words.adding : words.add}
              </Button>
            )}
          </form.Subscribe>
        </div>
      </form>
    </FormDialog>
  )
}
