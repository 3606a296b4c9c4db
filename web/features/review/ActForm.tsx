/** What is said with a verdict: who decides, and the words. */
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { focusFirstError } from '../../lib/focus-error.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { isLongName, isLongNote, nameProblem, noteProblem, noteUsed } from './lengths.ts'
import { words } from './words.ts'

export type Act = 'approve' | 'changes' | 'hold'

interface FormProps {
  readonly act: Act
  readonly agency: string
  /** Null: known already. */
  readonly name: string | null
  readonly onName: (name: string) => void
  readonly note: string
  readonly onNote: (note: string) => void
  readonly error: string | null
  readonly pending: boolean
  readonly onSend: () => void
  readonly onCancel: () => void
}

const actions = {
  approve: { send: words.approve, sending: words.approving },
  changes: { send: words.send, sending: words.sendingNote },
  hold: { send: words.sendHold, sending: words.sendingNote },
} as const satisfies Readonly<Record<Act, unknown>>

export function ActForm({ act, agency, name, onName, note, onNote, error, pending, onSend, onCancel }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [showsErrors, setShowsErrors] = useState(false)
  const nameError = name === null ? undefined : nameProblem(name)
  const noteError = noteProblem(note, act === 'changes')
  const hasNote = act !== 'approve'
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (nameError !== undefined || (hasNote && noteError !== undefined))
      return void requestAnimationFrame(() => focusFirstError(form.current))
    if (!pending) onSend()
  }
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key === 'Escape' && !nativeEvent.isComposing && !pending) onCancel()
  }
  return (
    // The key comes from the fields: the form itself takes no focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      noValidate
      className="flex flex-col gap-4"
      data-testid="act-form"
    >
      {act === 'hold' && <p className="wrap-anywhere text-quiet">{words.holdText(agency)}</p>}
      {name !== null && (
        <TextField
          label={words.yourName}
          value={name}
          onChange={onName}
          autoComplete="name"
          required
          focusFirst
          hint={words.nameText(agency)}
          error={showsErrors || isLongName(name) ? nameError : undefined}
        />
      )}
      {hasNote && (
        <TextField
          label={act === 'changes' ? words.whatToChange : words.whyHold}
          value={note}
          onChange={onNote}
          rows={4}
          required={act === 'changes'}
          focusFirst={name === null}
          hint={noteUsed(note)}
          error={showsErrors || isLongNote(note) ? noteError : undefined}
        />
      )}
      <ServerError message={error} />
      <div className="flex gap-2">
        <PlainButton size="lg" onPress={onCancel} disabled={pending}>
          {words.cancel}
        </PlainButton>
        <PlainButton
          look="primary"
          size="lg"
          type="submit"
          className="flex-1"
          pending={pending}
          data-testid="button-send-act"
        >
          {pending ? actions[act].sending : actions[act].send}
        </PlainButton>
      </div>
    </form>
  )
}
