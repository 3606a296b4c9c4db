/** The time that is looked at: now, or any instant since the beginning. */
import { History } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fieldValue, formatDateTime, nowField, zoneLabel } from '../../lib/dates.ts'
import { instantOfField } from '../../lib/wall-clock.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { words } from './words.ts'

interface Props {
  readonly value: string | null
  readonly since: string
  readonly zone: string
  readonly onChange: (asOf: string | null) => void
}

const steps = 1_000
/** How long the slider rests before the past is fetched, in milliseconds. */
const restMs = 150

export function AsOf({ value, since, zone, onChange }: Props) {
  const [opened] = useState(() => new Date().toISOString())
  const [from, to] = [Date.parse(since), Date.parse(opened)]
  const stepOf = (instant: string | null) =>
    instant === null ? steps : Math.round(((Date.parse(instant) - from) / Math.max(1, to - from)) * steps)
  const [step, setStep] = useState(steps)
  const dragged = step >= steps ? null : new Date(from + ((to - from) * step) / steps).toISOString()
  useEffect(() => {
    if (step === stepOf(value)) return
    const timer = setTimeout(() => onChange(dragged), restMs)
    return () => clearTimeout(timer)
  })
  const choose = async (field: string) => {
    if (field === '') return
    const instant = await instantOfField(field, zone)
    setStep(Math.max(0, Math.min(steps - 1, stepOf(instant))))
    onChange(instant)
  }
  const shown =
    dragged === null ? words.now : formatDateTime(value !== null && step === stepOf(value) ? value : dragged, zone)
  return (
    <fieldset className="flex flex-wrap items-end gap-x-4 gap-y-3 rounded-card border border-line bg-surface px-4 py-3">
      <legend className="sr-only">{words.time}</legend>
      <div className="min-w-56 flex-1">
        <p className="flex items-center gap-2 text-sm font-medium">
          <History aria-hidden className="size-4 text-quiet" />
          {words.viewAsOf}
          <output className="tabular font-normal text-quiet" data-testid="as-of">
            {shown}
          </output>
        </p>
        <input
          type="range"
          min={0}
          max={steps}
          value={step}
          onChange={({ target }) => setStep(Number(target.value))}
          aria-label={words.replay}
          aria-valuetext={shown}
          className="mt-2 h-6 w-full accent-accent"
          data-testid="replay-slider"
        />
      </div>
      <TextField
        label={words.dateAndTime(zoneLabel(zone, value))}
        type="datetime-local"
        value={value === null ? '' : fieldValue(value, zone)}
        max={nowField(zone)}
        onChange={(field) => void choose(field)}
        className="min-w-56"
      />
      <Button
        isDisabled={value === null && step >= steps}
        onPress={() => {
          setStep(steps)
          onChange(null)
        }}
      >
        {words.backToNow}
      </Button>
    </fieldset>
  )
}
