import type { Schedule } from '../../../../api/contract/index.ts'
import { formatSoon } from '../../../lib/dates.ts'
import { PaidButton } from '../../../ui/PaidButton.tsx'
import { SlotStrip } from './SlotStrip.tsx'
import { useScheduleActs } from './use-schedule-acts.ts'
import { byCause, type Failures, words } from './words.ts'

interface Props {
  readonly schedule: Schedule
  readonly zone: string
  readonly needsImage: boolean
}

/** The next seven times, and below them what keeps any of the coming week from being filled. */
export function Slots({ schedule, zone, needsImage }: Props) {
  const { id, clientId, slots, failures, isActive } = schedule
  const { retry } = useScheduleActs(id, needsImage)
  const isTrying = (times: readonly string[]) => retry.isPending && retry.variables.join() === times.join()
  const all = failures.map(({ at }) => at)
  const causes = byCause(failures)
  return (
    <div className="flex flex-col gap-3">
      <SlotStrip slots={slots} zone={zone} needsImage={needsImage} waits={isActive} clientId={clientId} />
      {causes.map((each) => (
        <Failed
          key={each.cause}
          failures={each}
          zone={zone}
          canRetry={isActive}
          isTrying={isTrying}
          onRetry={retry.mutate}
        />
      ))}
      {isActive && causes.length > 1 && (
        <PaidButton size="sm" className="self-start" onPress={() => retry.mutate(all)} pending={isTrying(all)}>
          {words.tryAll(all.length)}
        </PaidButton>
      )}
    </div>
  )
}

interface FailedProps {
  readonly failures: Failures
  readonly zone: string
  /** Not while it is paused: nothing would be written. */
  readonly canRetry: boolean
  readonly isTrying: (times: readonly string[]) => boolean
  readonly onRetry: (times: readonly string[]) => void
}

function Failed({ failures: { cause, times }, zone, canRetry, isTrying, onRetry }: FailedProps) {
  const several = times.length > 1
  return (
    <div
      data-testid="failed-slot"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink"
    >
      <p className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
        <strong className="font-medium">
          {several ? words.severalTimes(times.length) : words.oneTime(formatSoon(times[0] ?? '', zone))}
        </strong>
        {cause}
      </p>
      {canRetry && (
        <PaidButton size="sm" onPress={() => onRetry(times)} pending={isTrying(times)}>
          {several ? words.tryAll(times.length) : words.tryAgain}
        </PaidButton>
      )}
      {several && (
        <ul
          aria-label={words.failedTimes}
          className="grid w-full grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] gap-x-4 gap-y-1"
        >
          {times.map((at) => (
            <li key={at} className="tabular flex items-center justify-between gap-2 text-sm">
              {formatSoon(at, zone)}
              {canRetry && (
                <PaidButton
                  size="sm"
                  look="quiet"
                  aria-label={words.tryThe(formatSoon(at, zone))}
                  onPress={() => onRetry([at])}
                  pending={isTrying([at])}
                >
                  {words.tryAgain}
                </PaidButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
