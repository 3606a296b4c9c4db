/** The period: a preset, or two days. */
import { useState } from 'react'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { maxDays, wrongWith, type Days } from './period.ts'
import { presets, type AnalyticsSearch } from './search.ts'
import { words } from './words.ts'

type Chosen = Pick<AnalyticsSearch, 'period' | 'from' | 'to'>

interface Props {
  readonly chosen: Chosen
  /** The days that are shown; null: all time. */
  readonly days: Days | null
  readonly today: string
  readonly onChange: (chosen: Chosen) => void
}

const choices = ['all', ...presets, 'custom'] as const

export function PeriodPicker({ chosen, days, today, onChange }: Props) {
  const [isCustom, setCustom] = useState(false)
  const value = isCustom || (days && !chosen.period) ? 'custom' : (chosen.period ?? 'all')
  return (
    <>
      <Select
        label={words.period.label}
        labelHidden
        testId="select-period"
        options={choices.map((id) => ({ id, label: words.period.names[id] }))}
        value={value}
        onChange={(id) => {
          setCustom(id === 'custom')
          const period = presets.find((each) => each === id)
          if (id !== 'custom') onChange({ period, from: undefined, to: undefined })
        }}
        className="w-42 max-sm:w-auto max-sm:min-w-36 max-sm:flex-1"
      />
      {value === 'custom' && (
        <CustomDays
          key={days ? `${days.from} ${days.to}` : ''}
          days={days}
          today={today}
          onChange={(custom) => onChange({ period: undefined, ...custom })}
        />
      )}
    </>
  )
}

interface CustomProps {
  readonly days: Days | null
  readonly today: string
  readonly onChange: (days: Days) => void
}

const sentences = { order: words.period.wrongOrder, length: words.period.tooLong(maxDays) }

/** Both days are needed before they apply. */
function CustomDays({ days, today, onChange }: CustomProps) {
  const [typed, setTyped] = useState<Days>(days ?? { from: '', to: '' })
  const wrong = typed.from && typed.to ? wrongWith(typed) : null
  const change = (next: Days) => {
    setTyped(next)
    if (next.from && next.to && wrongWith(next) === null) onChange(next)
  }
  return (
    <fieldset aria-label={words.period.names.custom} className="flex flex-wrap items-start gap-2 max-sm:w-full">
      <TextField
        label={words.period.from}
        type="date"
        value={typed.from}
        max={today}
        onChange={(from) => change({ ...typed, from })}
        className="w-40 max-sm:w-full"
      />
      <TextField
        label={words.period.to}
        type="date"
        value={typed.to}
        max={today}
        onChange={(to) => change({ ...typed, to })}
        {...(wrong !== null && { error: sentences[wrong] })}
        className="w-40 max-sm:w-full"
      />
    </fieldset>
  )
}
