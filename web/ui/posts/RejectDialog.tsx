import { useState } from 'react'
import { postsWords } from '../../lib/words.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { TextField } from '../TextField.tsx'
import { words } from './words.ts'

interface Props {
  readonly count: number
  readonly pending: boolean
  readonly onReject: (reason: string) => void
  readonly onClose: () => void
}

const maxCharacters = 500

export default function RejectDialog({ count, pending, onReject, onClose }: Props) {
  const [reason, setReason] = useState('')
  const error = [...reason.trim()].length > maxCharacters ? words.reasonTooLong(maxCharacters) : undefined
  return (
    <FormDialog
      onClose={onClose}
      unsaved={reason.trim() !== ''}
      width="small"
      title={words.rejectTitle(postsWords(count))}
      description={words.rejectText(count)}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!error && !pending) onReject(reason.trim())
        }}
      >
        <TextField label={words.rejectReason} value={reason} onChange={setReason} error={error} focusFirst />
        <div className="flex justify-end gap-2">
          <Button slot="close">{words.cancel}</Button>
          <Button look="primary" type="submit" pending={pending} data-testid="button-confirm-reject">
            {pending ? words.rejecting : words.rejectPosts(postsWords(count))}
          </Button>
        </div>
      </form>
    </FormDialog>
  )
}
