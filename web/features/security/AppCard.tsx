import { useState } from 'react'
import { formatDate } from '../../lib/dates.ts'
import { call } from '../../lib/call.ts'
import { useAgency, useZone } from '../../lib/use-agency.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { FactorCard, type FactorProps } from './factor-card.tsx'
import { words } from './words.ts'

const SetUpApp = lazyDialog(() => import('./SetUpApp.tsx'))
const AskPassword = lazyDialog(() => import('./AskPassword.tsx'))

export function AppCard({ factors: { app, passkeys }, isConfirmed, onCodes }: FactorProps) {
  const [open, setOpen] = useState<'set-up' | 'remove' | null>(null)
  const zone = useZone()
  const isRequired = (useAgency()?.secondFactorSince ?? null) !== null
  const onClose = () => setOpen(null)
  return (
    <FactorCard
      testId="card-app"
      title={words.app.heading}
      text={words.app.text}
      aside={<Badge tone={app ? 'approved' : 'secondary'}>{app ? words.on : words.off}</Badge>}
    >
      {app && <p className="mt-3">{words.app.since(formatDate(app.addedAt, zone))}</p>}
      <div className="mt-4">
        {app ? (
          <Button look="dangerQuiet" className="-ml-3.5" onPress={() => setOpen('remove')}>
            {words.app.remove}
          </Button>
        ) : (
          <Button isDisabled={!isConfirmed} onPress={() => setOpen('set-up')}>
            {words.app.setUp}
          </Button>
        )}
      </div>
      {open === 'set-up' && (
        <SetUpApp
          onClose={onClose}
          onDone={(codes) => {
            onClose()
            onCodes(codes)
            toast({ title: words.app.added, description: words.app.addedText })
          }}
        />
      )}
      {open === 'remove' && (
        <AskPassword
          title={words.app.removeTitle}
          text={
            words.app.removeText(passkeys.length === 0) +
            (passkeys.length === 0 && isRequired ? words.lastRequired : '')
          }
          action={words.app.remove}
          pending={words.removing}
          isDangerous
          onClose={onClose}
          onProof={async ({ password }) => {
            await call('POST /api/auth/totp/remove', { body: { password } })
            onClose()
            onCodes([])
            toast({ title: words.app.removed })
          }}
        />
      )}
    </FactorCard>
  )
}
