/** For how long a review link is open, what it allows, and its lock. */
import { Checkbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { checkboxStyle } from '../checkbox-style.ts'
import { errorStyle, labelStyle } from '../field.ts'
import { Select } from '../Select.tsx'
import { TextField } from '../TextField.tsx'
import { lives, type Life, type ReviewDraft, type ReviewErrors } from './draft.ts'
import { words } from './words.ts'

interface Props {
  readonly draft: ReviewDraft
  readonly onChange: (changes: Partial<ReviewDraft>) => void
  readonly errors: Partial<ReviewErrors>
  /** Whether this server sends mail. */
  readonly mails: boolean
}

const abilities = ['approve', 'comment', 'suggest', 'hold'] as const
const options = (Object.keys(lives) as Life[]).map((id) => ({ id, label: words.lives[id] }))

export function LinkTerms({ draft, onChange, errors, mails }: Props) {
  const { life, may, lock, passcode, anyone } = draft
  // A code goes to a contact's address.
  const locks = (['none', 'passcode', 'code'] as const).filter((each) => each !== 'code' || (mails && !anyone))
  return (
    <>
      <CheckboxGroup
        value={[...may]}
        onChange={(next) => onChange({ may: abilities.filter((ability) => next.includes(ability)) })}
        isInvalid={errors.may !== undefined}
        className="flex flex-col gap-2"
        data-testid="review-may"
      >
        <Label className={labelStyle}>{words.may}</Label>
        {abilities.map((ability) => (
          <Checkbox key={ability} value={ability} className={`${checkboxStyle} min-h-7`}>
            {words.abilities[ability]}
          </Checkbox>
        ))}
        {errors.may !== undefined && (
          <p role="alert" className={errorStyle}>
            {errors.may}
          </p>
        )}
      </CheckboxGroup>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={words.until}
          options={options}
          value={life}
          onChange={(next) => onChange({ life: next as Life })}
          testId="select-review-life"
        />
        <Select
          label={words.lock}
          options={locks.map((each) => ({ id: each, label: words.locks[each] }))}
          value={lock}
          onChange={(next) => onChange({ lock: next as ReviewDraft['lock'] })}
          testId="select-review-lock"
        />
      </div>
      {lock === 'passcode' && (
        <TextField
          label={words.passcode}
          value={passcode}
          onChange={(next) => onChange({ passcode: next })}
          required
          autoComplete="off"
          spellCheck={false}
          hint={words.passcodeHint}
          error={errors.passcode}
        />
      )}
    </>
  )
}
