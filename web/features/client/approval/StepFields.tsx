/** One step of an approval policy. */
import { ArrowUp, Trash2 } from 'lucide-react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { approverRoles, type TeamMember } from '../../../../api/contract/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { checkboxStyle } from '../../../ui/checkbox-style.ts'
import { errorStyle, labelStyle } from '../../../ui/field.ts'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { nameError, peopleError, type StepDraft, type StepSource } from './draft.ts'
import { words } from './words.ts'

interface Props {
  readonly step: StepDraft
  /** From 1. */
  readonly position: number
  /** Those who may be chosen. */
  readonly people: readonly TeamMember[]
  readonly showsErrors: boolean
  readonly disabled: boolean
  readonly onChange: (step: StepDraft) => void
  readonly onUp: () => void
  readonly onRemove: () => void
}

const sources = [...approverRoles, 'people', 'client'] as const
const nameOf = (by: StepSource) => (by === 'people' ? words.people : by === 'client' ? words.client : words.roles[by])

export function StepFields({ step, position, people, showsErrors, disabled, onChange, ...on }: Props) {
  const known = new Set(people.map(({ id }) => id))
  const offered = [
    ...people.map(({ id, name }) => ({ id, name })),
    ...step.memberIds.filter((id) => !known.has(id)).map((id) => ({ id, name: words.former })),
  ]
  const missing = showsErrors ? peopleError(step) : undefined
  return (
    <fieldset
      disabled={disabled}
      className="flex flex-col gap-3 rounded-card border border-line px-4 py-3"
      data-testid="approval-step"
    >
      <legend className="px-1 font-medium">{words.step(position)}</legend>
      <TextField
        label={words.name}
        value={step.name}
        onChange={(name) => onChange({ ...step, name: name.slice(0, 80) })}
        error={showsErrors ? nameError(step) : undefined}
        readOnly={disabled}
        required
      />
      <div className="flex flex-wrap gap-3">
        <Select
          label={words.who}
          testId="select-approver"
          options={sources.map((id) => ({ id, label: nameOf(id) }))}
          value={step.by}
          disabled={disabled}
          onChange={(id) => onChange({ ...step, by: sources.find((each) => each === id) ?? step.by })}
          className="w-44 max-sm:w-full"
        />
        {step.by !== 'client' && (
          <Select
            label={words.need}
            testId="select-need"
            options={[
              { id: 'any', label: words.any },
              { id: 'all', label: words.all },
            ]}
            value={step.need}
            disabled={disabled}
            onChange={(id) => onChange({ ...step, need: id === 'all' ? 'all' : 'any' })}
            className="w-44 max-sm:w-full"
          />
        )}
      </div>
      {step.by === 'client' && <p className="text-sm text-quiet">{words.byLink}</p>}
      {step.by === 'people' && (
        <CheckboxGroup
          value={[...step.memberIds]}
          onChange={(memberIds) => onChange({ ...step, memberIds })}
          isDisabled={disabled}
          isInvalid={missing !== undefined}
          className="flex flex-col gap-1"
          data-testid="checkboxes-approvers"
        >
          <Label className={labelStyle}>{words.people}</Label>
          {offered.map(({ id, name }) => (
            <Checkbox key={id} value={id} className={`${checkboxStyle} min-h-7`}>
              <span dir="auto" className="wrap-anywhere">
                {name}
              </span>
            </Checkbox>
          ))}
          {missing !== undefined && (
            <p role="alert" className={errorStyle}>
              {missing}
            </p>
          )}
        </CheckboxGroup>
      )}
      {!disabled && (
        <div className="flex flex-wrap justify-end gap-2">
          {position > 1 && (
            <Button look="quiet" size="sm" aria-label={words.up(position)} onPress={on.onUp}>
              <ArrowUp aria-hidden />
            </Button>
          )}
          <Button look="dangerQuiet" size="sm" aria-label={words.remove(position)} onPress={on.onRemove}>
            <Trash2 aria-hidden />
          </Button>
        </div>
      )}
    </fieldset>
  )
}
