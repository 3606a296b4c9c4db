/** Asks for the client of a new post; its page has the composer. */
import { useState, type FormEvent } from 'react'
import type { Client } from '../../../api/contract/index.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { words } from './words.ts'

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
    if (chosen === null) setError(words.chooseClient)
    else onChosen(chosen)
  }
  return (
    <Dialog open onClose={onClose} title={words.newPostTitle} description={formatDay(day)} width="small">
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <Select
          label={words.client}
          placeholder={words.chooseClient}
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
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" type="submit">
            {words.continue}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
