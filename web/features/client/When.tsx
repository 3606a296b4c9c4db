import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { nowField, zoneLabel } from '../../lib/dates.ts'
import { hintStyle, labelStyle } from '../../ui/field.ts'
import { radioStyle } from '../../ui/radio-style.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { Draft } from './use-composer.ts'

interface Props {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
  readonly error: string | undefined
  readonly zone: string
  /** The network's price in a sentence; undefined when publishing is free. */
  readonly price: string | undefined
}

export function When({ draft, onChange, error, zone, price }: Props) {
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        value={draft.when}
        onChange={(when) => onChange({ when: when === 'time' ? 'time' : 'slot' })}
        className="flex flex-col gap-2"
      >
        <Label className={labelStyle}>Time</Label>
        <Radio value="slot" className={radioStyle}>
          Next free slot
        </Radio>
        <Radio value="time" className={radioStyle}>
          Choose date and time
        </Radio>
      </RadioGroup>
      {draft.when === 'time' && (
        <TextField
          label="Date and time"
          type="datetime-local"
          value={draft.time}
          min={nowField(zone)}
          onChange={(time) => onChange({ time })}
          error={error}
          hint={`In your agency's time zone (${zoneLabel(zone, draft.time)}).`}
        />
      )}
      {price !== undefined && (
        <p className={hintStyle} data-testid="post-price">
          {price}
        </p>
      )}
    </div>
  )
}
