import { useQuery } from '@tanstack/react-query'
import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { formatSlot, nowField, zoneLabel } from '../../lib/dates.ts'
import { nextSlotQuery } from '../../lib/queries.ts'
import { hintStyle, labelStyle } from '../../ui/field.ts'
import { radioStyle } from '../../ui/radio-style.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { Composing } from './use-composer.ts'
import { words } from './words.ts'

interface Props {
  readonly composer: Composing
  readonly zone: string
}

export function When({ composer: { draft, change, others, errors, problems }, zone }: Props) {
  const isSlot = draft.when === 'slot'
  const { accountId } = draft
  const slot = useQuery({ ...nextSlotQuery(accountId ?? ''), enabled: isSlot && accountId !== null })
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        value={draft.when}
        onChange={(when) => change({ when: when === 'time' ? 'time' : 'slot' })}
        className="flex flex-col gap-2"
      >
        <Label className={labelStyle}>{words.time}</Label>
        <Radio value="slot" className={radioStyle} data-testid="choose-slot">
          {isSlot && slot.data ? words.nextSlotAt(formatSlot(slot.data.at, zone)) : words.nextSlot}
        </Radio>
        <Radio value="time" className={radioStyle}>
          {words.chooseTime}
        </Radio>
      </RadioGroup>
      {isSlot && others.length > 0 && <p className={hintStyle}>{words.eachItsSlot}</p>}
      {!isSlot && (
        <TextField
          label={words.dateAndTime}
          type="datetime-local"
          value={draft.time}
          min={nowField(zone)}
          onChange={(time) => change({ time })}
          error={errors.time}
          hint={words.zoneHint(zoneLabel(zone, draft.time))}
        />
      )}
      {problems.price !== undefined && (
        <p className={hintStyle} data-testid="post-price">
          {problems.price}
        </p>
      )}
    </div>
  )
}
