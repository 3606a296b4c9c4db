/** Takes the place of every screen once the person is no longer a member of the agency. */
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { call } from '../lib/call.ts'
import { openAnotherAgency } from '../lib/other-agency.ts'
import { Button } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { useTitle } from '../ui/PageHeader.tsx'
import { words } from './words.ts'

export default function MembershipEnded({ sentence }: { readonly sentence: string }) {
  const [pending, setPending] = useState(false)
  useTitle(words.membershipEnded)
  const goOn = async () => {
    setPending(true)
    // The answer says once more that the membership ended; from the next request on, the session has another agency.
    await call('GET /api/agency').catch(() => undefined)
    openAnotherAgency()
  }
  return (
    <main className="mx-auto grid min-h-dvh max-w-form content-center gap-4 p-6" data-testid="membership-ended">
      <LogoMark className="size-8" />
      <div className="rounded-dialog border border-line bg-surface p-6 sm:p-8">
        <span
          aria-hidden
          className="mb-4 grid size-10 place-items-center rounded-full bg-pending-soft text-pending-ink"
        >
          <UserX className="size-5" />
        </span>
        <h1 className="text-xl font-semibold wrap-anywhere">{sentence}</h1>
        <p className="mt-1 text-quiet">{words.membershipEndedText}</p>
        <Button look="primary" className="mt-6 w-full" pending={pending} onPress={() => void goOn()}>
          {words.goOn}
        </Button>
      </div>
    </main>
  )
}
