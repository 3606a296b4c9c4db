/** When people are reminded of an open step, and what follows where no one answers. */
import { approverRoles, maxReminderHours } from '../../../../api/contract/index.ts'
import { errorStyle, hintStyle, labelStyle } from '../../../ui/field.ts'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { hoursErrors, silentError, type PolicyDraft } from './draft.ts'
import { words } from './words.ts'

/** What the server refused, beneath its field. */
export interface Refused {
  readonly field: 'remindAfterHours' | 'ifSilent'
  readonly sentence: string
}

interface Props {
  readonly draft: PolicyDraft
  readonly showsErrors: boolean
  readonly disabled: boolean
  readonly refused: Refused | null
  readonly onChange: (draft: PolicyDraft) => void
}

const silences = ['wait', ...approverRoles.toReversed()] as const

export function Reminders({ draft, showsErrors, disabled, refused, onChange }: Props) {
  const errors = hoursErrors(draft)
  const refusedAt = (field: Refused['field']) => (refused?.field === field ? refused.sentence : undefined)
  const hoursRefused = refusedAt('remindAfterHours')
  const isClientToo = draft.ifSilent !== 'wait' && draft.steps.some(({ by }) => by === 'client')
  return (
    <div className="flex flex-col gap-4" data-testid="reminders">
      <fieldset disabled={disabled} className="flex flex-col gap-1.5">
        <legend className={`mb-1.5 ${labelStyle}`}>{words.remind}</legend>
        <div className="grid grid-cols-3 gap-3">
          {draft.hours.map((hours, at) => (
            <TextField
              key={words.reminders[at]}
              type="number"
              min="1"
              max={String(maxReminderHours)}
              label={words.reminders[at]}
              value={hours}
              onChange={(typed) => onChange({ ...draft, hours: draft.hours.with(at, typed) })}
              placeholder={words.reminderExamples[at] ?? ''}
              readOnly={disabled}
              error={showsErrors ? errors[at] : undefined}
            />
          ))}
        </div>
        {hoursRefused === undefined ? (
          <p className={hintStyle}>{words.remindHint}</p>
        ) : (
          <p role="alert" className={errorStyle}>
            {hoursRefused}
          </p>
        )}
      </fieldset>
      <Select
        label={words.ifSilent}
        testId="select-if-silent"
        options={silences.map((id) => ({ id, label: words.silences[id] }))}
        value={draft.ifSilent}
        disabled={disabled}
        onChange={(id) => onChange({ ...draft, ifSilent: silences.find((each) => each === id) ?? 'wait' })}
        error={(showsErrors ? silentError(draft) : undefined) ?? refusedAt('ifSilent')}
        className="w-full sm:w-72"
      />
      {isClientToo && <p className={hintStyle}>{words.clientSilent}</p>}
    </div>
  )
}
