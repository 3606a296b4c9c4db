/** The bar that asks for the second factor that the agency requires, with the date. */
import { useLocation } from '@tanstack/react-router'
import { formatDate } from '../lib/dates.ts'
import { useAgency } from '../lib/use-agency.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { words } from './words.ts'

export function FactorBanner() {
  const agency = useAgency()
  const isThere = useLocation({ select: ({ pathname }) => pathname === '/settings/security' })
  if (!agency || agency.secondFactorDueAt === null) return null
  return (
    <section
      aria-label={words.factor.label}
      data-testid="factor-banner"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-pending-soft px-4 py-1.5 text-pending-ink sm:min-h-10"
    >
      <output className="min-w-0 wrap-anywhere">
        {words.factor.due(agency.name, formatDate(agency.secondFactorDueAt, agency.timeZone))}
      </output>
      {!isThere && (
        <LinkButton
          to="/settings/security"
          look="link"
          size="inline"
          className="py-1 font-semibold text-current! underline"
        >
          {words.factor.add}
        </LinkButton>
      )}
    </section>
  )
}
