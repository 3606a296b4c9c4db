/** Takes the place of every screen once the second factor that the agency requires is overdue. */
import { ShieldAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { FactorCards } from '../features/security/FactorCards.tsx'
import LeaveTeam from '../features/team/LeaveTeam.tsx'
import { endSession } from '../lib/session.ts'
import { useAgency } from '../lib/use-agency.ts'
import { AnchorButton } from '../ui/LinkButton.tsx'
import { Button } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { useTitle } from '../ui/PageHeader.tsx'
import AgencyMenu from './AgencyMenu.tsx'
import { words as allWords } from './words.ts'

const words = allWords.factor

export default function AddFactorFirst() {
  const agency = useAgency()
  const trigger = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState<'agencies' | 'leave' | null>(null)
  useTitle(words.title)
  if (!agency) return null
  const onClose = () => setOpen(null)
  return (
    <main
      className="mx-auto flex min-h-dvh max-w-form flex-col justify-center gap-4 p-6"
      data-testid="add-factor-first"
    >
      <LogoMark className="size-8" />
      <div>
        <span
          aria-hidden
          className="mb-4 grid size-10 place-items-center rounded-full bg-pending-soft text-pending-ink"
        >
          <ShieldAlert className="size-5" />
        </span>
        <h1 className="text-xl font-semibold wrap-anywhere">{words.required(agency.name)}</h1>
        <p className="mt-1 text-quiet">{words.text}</p>
      </div>
      <FactorCards />
      <div className="flex flex-wrap gap-2">
        <AnchorButton href="/api/logout" onClick={endSession} onAuxClick={endSession} size="sm">
          {allWords.signOut}
        </AnchorButton>
        <span ref={trigger}>
          <Button look="quiet" size="sm" onPress={() => setOpen('agencies')} aria-haspopup="dialog">
            {words.switch}
          </Button>
        </span>
        {agency.me.role !== 'owner' && (
          <Button look="dangerQuiet" size="sm" onPress={() => setOpen('leave')}>
            {words.leave}
          </Button>
        )}
      </div>
      {open === 'agencies' && <AgencyMenu trigger={trigger} onClose={onClose} />}
      {open === 'leave' && <LeaveTeam agencyName={agency.name} onClose={onClose} />}
    </main>
  )
}
