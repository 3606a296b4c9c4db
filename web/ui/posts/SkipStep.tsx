import { useState } from 'react'
import { maxSkipReason } from '../../../api/contract/limits.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { TextField } from '../TextField.tsx'
import { stepWords as words } from './step-words.ts'
import { words as postWords } from './words.ts'

interface Props {
  readonly step: string
  readonly pending: boolean
  readonly onSkip: (reason: string) => void
  readonly onClose: () => void
}

export default function SkipStep({ step, pending, onSkip, onClose }: Props) {
  const [reason, setReason] = useState('')
  const text = reason.trim()
  const error = text.length > maxSkipReason ? postWords.reasonTooLong(maxSkipReason) : undefined
  return (
    <FormDialog
      onClose={onClose}
      unsaved={text !== ''}
      width="small"
      title={words.skipTitle(step)}
      description={words.skipText}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (text !== '' && !error && !pending) onSkip(text)
        }}
      >
        <TextField label={words.skipReason} value={reason} onChange={setReason} error={error} required focusFirst />
        <div className="flex justify-end gap-2">
          <Button slot="close">{words.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            isDisabled={text === ''}
            pending={pending}
            data-testid="button-confirm-skip"
          >
            {pending ? words.skipping : words.skipNow}
          </Button>
        </div>
      </form>
    </FormDialog>
  )
}
