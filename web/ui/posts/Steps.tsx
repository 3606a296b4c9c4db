/** The approval steps of a post, in order: what was approved, what is open, and who it waits for. */
import { useQuery } from '@tanstack/react-query'
import { Check, Circle, CircleDot, SkipForward } from 'lucide-react'
import type { PostStep } from '../../../api/contract/index.ts'
import { formatDate } from '../../lib/dates.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { useZone } from '../../lib/use-agency.ts'
import { stepWords as words } from './step-words.ts'

const icons = { approved: Check, skipped: SkipForward, open: CircleDot, waiting: Circle } as const
const looks = {
  approved: 'text-approved-ink',
  skipped: 'text-quiet',
  open: 'font-medium text-pending-ink',
  waiting: 'text-quiet',
} as const

export default function Steps({ steps }: { readonly steps: readonly PostStep[] }) {
  const zone = useZone()
  const members = useQuery(teamQuery).data?.members ?? []
  const namesOf = (ids: readonly string[]) => members.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return (
    <ol aria-label={words.label} className="flex flex-col gap-1 text-sm" data-testid="step-rail">
      {steps.map((step) => {
        const Icon = icons[step.state]
        return (
          <li
            key={step.id}
            className={`flex min-w-0 items-start gap-1.5 ${looks[step.state]}`}
            data-testid="step"
            data-state={step.state}
            {...(step.state === 'open' && { 'aria-current': 'step' })}
          >
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <span dir="auto">{step.name}</span>
              {': '}
              {words.state(step, namesOf(step.state === 'open' ? step.waitsFor : step.approvedBy))}
              <Since step={step} zone={zone} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** What happened to the step while it was open: letters, further people, other people. */
function Since({ step, zone }: { readonly step: PostStep; readonly zone: string }) {
  const { reminded, escalatedTo, reassigned, who } = step
  const lines = [
    ...(reassigned ? [words.reassigned] : []),
    ...(reminded ? [words.reminded(reminded.times, formatDate(reminded.lastAt, zone))] : []),
    ...(escalatedTo ? [(who.kind === 'client' ? words.escalatedOfClient : words.escalated)(escalatedTo)] : []),
  ]
  return lines.length === 0 ? null : (
    <span className="block font-normal text-quiet" data-testid="step-since">
      {lines.join(' · ')}
    </span>
  )
}
