import type { Schedule, ScheduleSlot } from '../../../../api/contract/index.ts'
import { formatSoon } from '../../../lib/dates.ts'
import { PaidButton } from '../../../ui/PaidButton.tsx'
import { SlotStrip } from './SlotStrip.tsx'
import { useScheduleActs } from './use-schedule-acts.ts'

interface Props {
  readonly schedule: Schedule
  readonly zone: string
  readonly needsImage: boolean
}

/** The next seven times, and below them what keeps one from being filled. */
export function Slots({ schedule, zone, needsImage }: Props) {
  const { id, clientId, slots, isActive } = schedule
  const { retry } = useScheduleActs(id, needsImage)
  const failed = slots.filter((slot): slot is ScheduleSlot & { cause: string } => slot.state === 'failed' && slot.cause !== undefined)
  return (
    <div className="flex flex-col gap-3">
      <SlotStrip slots={slots} zone={zone} needsImage={needsImage} waits={isActive} clientId={clientId} />
      {failed.map(({ at, cause }) => (
        <div key={at} data-testid="failed-slot" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink">
          <p className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
            <strong className="font-medium">{`${formatSoon(at, zone)}: `}</strong>
            {cause}
          </p>
          <PaidButton size="sm" onPress={() => retry.mutate(at)} pending={retry.isPending && retry.variables === at}>
            Try Again
          </PaidButton>
        </div>
      ))}
    </div>
  )
}
