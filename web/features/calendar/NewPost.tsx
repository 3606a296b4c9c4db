/** Asks for the client of a new post; its page has the composer. */
import { useState, type FormEvent } from 'react'
import type { Client } from '../../../api/contract/index.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Select } from '../../ui/Select.tsx'

interface Props {
  readonly day: string
  readonly clients: readonly Client[]
  readonly onClose: () => void
  readonly onChosen: (clientId: string) => void
}

export default function NewPost({ day, clients, onClose, onChosen }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === null) setError('Choose a client')
    else onChosen(chosen)
  }
  return (
    <Dialog open onClose={onClose} title="New Post" description={formatDay(day)} width="small">
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <Select
          label="Client"
          placeholder="Choose a client"
          required
          options={clients.map(({ id, name }) => ({ id, label: name }))}
          value={chosen}
          error={error}
          onChange={(id) => {
            setChosen(id)
            setError(undefined)
          }}
          testId="select-new-post-client"
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
