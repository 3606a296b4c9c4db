import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Agency } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatNow, zoneLabel } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterAgencyChange } from '../../lib/refetch.ts'
import { useAgency, useMay } from '../../lib/use-agency.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import { ServerError } from '../../ui/ServerError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { AiWriting } from './AiWriting.tsx'
import { TimeZoneField } from './TimeZoneField.tsx'
import { YourAccount } from './YourAccount.tsx'
import { words } from './words.ts'

const Brand = lazyDialog(() => import('./Brand.tsx'))

export function Settings() {
  const agency = useAgency()
  return (
    <>
      <PageHeader title={words.heading} text={words.text} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className={column}>
          {agency && <AgencyInformation key={agency.timeZone} agency={agency} />}
          <ForRole least="admin">
            {agency && <BrandCard agency={agency} />}
            <AiWriting />
          </ForRole>
        </div>
        <div className={column}>
          <YourAccount />
          {agency && <ScreenCard of="team" to="/settings/team" />}
          {agency && <ScreenCard of="audit" to="/audit" />}
        </div>
      </div>
    </>
  )
}

const column = 'flex max-w-dialog min-w-0 flex-col gap-4 xl:max-w-none'

function BrandCard({ agency }: { readonly agency: Agency }) {
  const [isOpen, setOpen] = useState(false)
  const { logoUrl, color } = agency.brand
  return (
    <Card data-testid="card-brand">
      <h2 className="text-lg font-semibold">{words.brand.heading}</h2>
      <p className="mt-1 text-quiet">{words.brand.text}</p>
      <p className="mt-3 flex flex-wrap items-center gap-2">
        {color !== null && (
          <svg aria-hidden viewBox="0 0 16 16" className="size-4 shrink-0">
            <rect width="16" height="16" rx="4" fill={color} />
          </svg>
        )}
        {words.brand.now(logoUrl !== null, color)}
      </p>
      <Button className="mt-4" onPress={() => setOpen(true)} data-testid="button-change-brand">
        {words.brand.change}
      </Button>
      {isOpen && <Brand agency={agency} onClose={() => setOpen(false)} />}
    </Card>
  )
}

/** Leads to a screen that belongs to the settings. */
function ScreenCard({ of, to }: { readonly of: 'team' | 'audit'; readonly to: '/settings/team' | '/audit' }) {
  const { heading, text, open } = words[of]
  return (
    <Card data-testid={`card-${of}`}>
      <h2 className="text-lg font-semibold">{heading}</h2>
      <p className="mt-1 text-quiet">{text}</p>
      <LinkButton to={to} look="secondary" className="mt-4">
        {open}
      </LinkButton>
    </Card>
  )
}

function AgencyInformation({ agency }: { readonly agency: Agency }) {
  const [timeZone, setTimeZone] = useState(agency.timeZone)
  const save = useMutation({
    mutationFn: (zone: string) => call('PATCH /api/agency', { body: { timeZone: zone } }),
    onSuccess: async () => {
      await afterAgencyChange()
      toast({ title: words.agency.saved, description: words.agency.savedText })
    },
    onError: (error) => toast({ title: words.error, description: errorText(error), variant: 'destructive' }),
  })
  const oneAtATime = useOneAtATime()
  const changes = useMay('admin')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (timeZone === agency.timeZone)
      return toast({ title: words.agency.unchanged, description: words.agency.unchangedText })
    oneAtATime(() => save.mutateAsync(timeZone))
  }
  return (
    <Card data-testid="card-agency">
      <h2 className="text-lg font-semibold">{words.agency.heading}</h2>
      <form onSubmit={onSubmit} noValidate className="mt-4 flex flex-col gap-4">
        <TextField label={words.agency.name} value={agency.name} readOnly />
        <TextField label={words.agency.email} value={agency.email} readOnly />
        {changes ? (
          <TimeZoneField value={timeZone} onChange={setTimeZone} />
        ) : (
          <TextField label={words.timeZone} value={zoneLabel(timeZone)} readOnly />
        )}
        <p className="-mt-2 text-sm text-quiet">{words.agency.now(formatNow(timeZone))}</p>
        <ServerError message={save.isError ? errorText(save.error) : null} />
        {changes && (
          <Button look="primary" type="submit" pending={save.isPending} className="self-start">
            {words.agency.save}
          </Button>
        )}
      </form>
    </Card>
  )
}
