import { Plus, X } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { controlStyle, errorStyle, labelStyle } from '../../../ui/field.ts'
import { Select } from '../../../ui/Select.tsx'
import type { TimeRow } from './use-schedule-form.ts'
import { dayNames, words } from './words.ts'

interface Props {
  readonly times: readonly TimeRow[]
  /** A daily schedule asks for no days. */
  readonly withDays: boolean
  readonly onChange: (times: readonly TimeRow[]) => void
  readonly error: string | undefined
}

const days = [{ id: 'every', label: words.everyDay }, ...dayNames.map((label, day) => ({ id: String(day), label }))]

export function Times({ times, withDays, onChange, error }: Props) {
  const change = (key: number, part: Partial<TimeRow>) =>
    onChange(times.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const add = () => {
    const last = times.at(-1)
    onChange([
      ...times,
      { key: Math.max(-1, ...times.map(({ key }) => key)) + 1, day: last?.day ?? 'every', time: last?.time ?? '09:00' },
    ])
  }
  const remove = (key: number, button: Element) => {
    // The button goes with its row; the keyboard goes on from here.
    button.closest('fieldset')?.querySelector<HTMLElement>('[data-testid=button-add-time]')?.focus()
    onChange(times.filter((row) => row.key !== key))
  }
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2"
      {...(error !== undefined && { 'aria-describedby': 'times-error' })}
    >
      <legend className={`${labelStyle} mb-2`}>{words.preferredTimes}</legend>
      {times.map(({ key, day, time }, index) => (
        <div key={key} data-testid="time-row" className="flex items-center gap-2">
          {withDays && (
            <Select
              label={words.day(index + 1)}
              labelHidden
              options={days}
              value={day}
              onChange={(id) => change(key, { day: id })}
              className="min-w-0 flex-1"
            />
          )}
          <input
            type="time"
            aria-label={words.time(index + 1)}
            value={time}
            onChange={({ target }) => change(key, { time: target.value })}
            {...(error !== undefined && time === '' && { 'aria-invalid': true })}
            className={`${controlStyle()} tabular ${withDays ? 'max-w-36' : ''}`}
          />
          <Button
            look="quiet"
            size="icon"
            aria-label={words.removeTime(index + 1)}
            onPress={({ target }) => remove(key, target)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {error !== undefined && (
        <p id="times-error" className={errorStyle}>
          {error}
        </p>
      )}
      <Button size="sm" className="self-start" onPress={add} data-testid="button-add-time">
        <Plus aria-hidden />
        {words.addTime}
      </Button>
    </fieldset>
  )
}
