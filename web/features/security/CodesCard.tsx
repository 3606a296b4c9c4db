import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { FactorCard, type FactorProps } from './factor-card.tsx'
import { words } from './words.ts'

const AskPassword = lazyDialog(() => import('./AskPassword.tsx'))

/** Fewer are worth a warning. */
const few = 3

/** Only with a factor: recovery codes replace one. */
export function CodesCard({ factors: { app, passkeys, recoveryCodes }, onCodes }: FactorProps) {
  const [isRenewing, setRenewing] = useState(false)
  if (!app && passkeys.length === 0) return null
  return (
    <FactorCard
      testId="card-recovery-codes"
      title={words.codes.heading}
      text={words.codes.text}
      aside={<Badge tone={recoveryCodes < few ? 'pending' : 'secondary'}>{words.codes.left(recoveryCodes)}</Badge>}
    >
      <Button className="mt-4" onPress={() => setRenewing(true)}>
        {words.codes.renew}
      </Button>
      {isRenewing && (
        <AskPassword
          title={words.codes.renewTitle}
          text={words.codes.renewText}
          action={words.codes.renewAction}
          pending={words.making}
          onClose={() => setRenewing(false)}
          onProof={async ({ password }) => {
            const { recoveryCodes: fresh } = await call('POST /api/auth/recovery-codes', { body: { password } })
            setRenewing(false)
            onCodes(fresh)
          }}
        />
      )}
    </FactorCard>
  )
}
