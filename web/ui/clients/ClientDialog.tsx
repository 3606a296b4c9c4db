import { useStore } from '@tanstack/react-form'
import type { SentBody, Routes } from '../../../api/contract/index.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { useSchemaForm } from '../form.tsx'
import { ServerError } from '../ServerError.tsx'
import { toast } from '../toast.ts'
import { words } from './words.ts'

export type ClientProfile = Required<SentBody<Routes['addClient']>>

const blank = {
  name: '',
  description: '',
  industry: '',
  targetAudience: '',
  toneOfVoice: '',
  brandColor: '#3b82f6',
  logoUrl: '',
}

interface Props {
  readonly title: string
  readonly description?: string
  readonly profile?: Partial<Record<keyof typeof blank, string | null>>
  readonly submit: (profile: ClientProfile) => Promise<void>
  readonly onClose: () => void
  readonly action: string
  readonly actionPending: string
}

export function ClientDialog({ profile = {}, submit, action, actionPending, ...dialog }: Props) {
  const given = Object.entries(profile).filter(([name, value]) => name in blank && typeof value === 'string')
  const { form, serverError, formProps } = useSchemaForm({
    defaults: { ...blank, ...Object.fromEntries(given) },
    schema: () => import('../../lib/schemas.ts').then(({ clientProfileSchema }) => clientProfileSchema),
    submit,
    onError: (description) => toast({ title: words.error, description, variant: 'destructive' }),
  })
  const unsaved = useStore(form.store, (state) => !state.isDefaultValue)
  return (
    <FormDialog {...dialog} unsaved={unsaved}>
      <form {...formProps} className="flex flex-col gap-4">
        <form.AppField name="name">{(field) => <field.Text label={words.name} required focusFirst />}</form.AppField>
        <form.AppField name="description">
          {(field) => <field.Text label={words.description} rows={3} placeholder={words.descriptionExample} />}
        </form.AppField>
        <div className="grid gap-4 sm:grid-cols-2">
          <form.AppField name="industry">
            {(field) => <field.Text label={words.industry} placeholder={words.industryExample} />}
          </form.AppField>
          <form.AppField name="targetAudience">
            {(field) => <field.Text label={words.audience} placeholder={words.audienceExample} />}
          </form.AppField>
          <form.AppField name="toneOfVoice">
            {(field) => <field.Text label={words.tone} placeholder={words.toneExample} />}
          </form.AppField>
          <form.AppField name="brandColor">{(field) => <field.Color label={words.color} />}</form.AppField>
        </div>
        <form.AppField name="logoUrl">
          {(field) => <field.Text label={words.logo} type="url" placeholder={words.logoExample} />}
        </form.AppField>
        <ServerError message={serverError} />
        <div className="flex justify-end gap-2 pt-2">
          <Button slot="close">{words.cancel}</Button>
          <form.Subscribe selector={(state) => state.isSubmitting}>
            {(pending) => (
              <Button look="primary" type="submit" pending={pending}>
                {pending ? actionPending : action}
              </Button>
            )}
          </form.Subscribe>
        </div>
      </form>
    </FormDialog>
  )
}
