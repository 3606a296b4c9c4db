/** The link between the account and a person at the provider of single sign-on. */
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { formatDate } from '../../lib/dates.ts'
import { signOnSentence, takeSignOnOutcome } from '../../lib/sign-on.ts'
import { useZone } from '../../lib/use-agency.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { FactorCard, type FactorProps } from './factor-card.tsx'
import { words as allWords } from './words.ts'

const words = allWords.signOn
const AskPassword = lazyDialog(() => import('./AskPassword.tsx'))

export default function SignOnCard({ factors: { signOn, hasPassword }, isConfirmed, onCodes }: FactorProps) {
  const [open, setOpen] = useState<'link' | 'unlink' | null>(null)
  const zone = useZone()
  useEffect(tellOutcome, [])
  if (!signOn) return null
  const { name, link } = signOn
  const onClose = () => setOpen(null)
  return (
    <FactorCard
      testId="card-sign-on"
      title={words.heading}
      text={words.text(name)}
      aside={<Badge tone={link ? 'approved' : 'secondary'}>{link ? allWords.on : allWords.off}</Badge>}
    >
      {link && <p className="mt-3 wrap-anywhere">{words.linkedTo(link.email, formatDate(link.addedAt, zone))}</p>}
      {!hasPassword && <p className="mt-3 text-sm text-quiet">{words.noPassword}</p>}
      {link
        ? hasPassword && (
            <Button look="dangerQuiet" className="mt-4 -ml-3.5" onPress={() => setOpen('unlink')}>
              {words.unlink}
            </Button>
          )
        : isConfirmed && (
            <Button className="mt-4" onPress={() => setOpen('link')}>
              {words.link(name)}
            </Button>
          )}
      {open === 'link' && (
        <AskPassword
          title={words.linkTitle(name)}
          text={words.linkText(name)}
          action={words.continue}
          pending={words.going}
          onClose={onClose}
          onProof={async ({ password }) =>
            location.assign((await call('POST /api/auth/oidc/link', { body: { password } })).url)
          }
        />
      )}
      {open === 'unlink' && (
        <AskPassword
          title={words.unlinkTitle}
          text={words.unlinkText}
          action={words.unlink}
          pending={allWords.removing}
          isDangerous
          onClose={onClose}
          onProof={async ({ password }) => {
            await call('POST /api/auth/oidc/unlink', { body: { password } })
            onClose()
            onCodes([])
            toast({ title: words.unlinked })
          }}
        />
      )}
    </FactorCard>
  )
}

/** The browser came back from the provider. */
function tellOutcome() {
  const outcome = takeSignOnOutcome()
  if (outcome === null) return
  if (outcome === 'linked') toast({ title: words.linked, description: words.linkedText })
  else if (outcome === 'confirmed') toast({ title: words.confirmed, description: words.confirmedText })
  else toast({ title: allWords.error, description: signOnSentence(outcome), variant: 'destructive' })
}
