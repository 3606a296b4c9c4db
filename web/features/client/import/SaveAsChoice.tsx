import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { labelStyle } from '../../../ui/field.ts'
import { radioStyle } from '../../../ui/radio-style.ts'
import type { SaveAs } from './use-import.ts'
import { words } from './words.ts'

interface Props {
  readonly value: SaveAs
  readonly onChange: (value: SaveAs) => void
}

export function SaveAsChoice({ value, onChange }: Props) {
  return (
    <RadioGroup
      value={value}
      onChange={(as) => onChange(as === 'pending' ? 'pending' : 'draft')}
      className="flex flex-wrap gap-x-6 gap-y-2"
    >
      <Label className={`${labelStyle} w-full`}>{words.saveAs.label}</Label>
      <Radio value="draft" className={radioStyle}>
        {words.saveAs.draft}
      </Radio>
      <Radio value="pending" className={radioStyle}>
        {words.saveAs.pending}
      </Radio>
    </RadioGroup>
  )
}
