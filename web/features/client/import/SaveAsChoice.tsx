import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { labelStyle } from '../../../ui/field.ts'
import { radioStyle } from '../../../ui/radio-style.ts'
import type { SaveAs } from './use-import.ts'

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
      <Label className={`${labelStyle} w-full`}>Import them as</Label>
      <Radio value="draft" className={radioStyle}>
        Drafts
      </Radio>
      <Radio value="pending" className={radioStyle}>
        Posts that wait for a review
      </Radio>
    </RadioGroup>
  )
}
