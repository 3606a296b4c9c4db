/** Adds a passkey: a name and the password, then the browser's own dialog. */
import { useState } from 'react'
import { addPasskey } from '../../lib/use-passkey.ts'
import AskPassword from './AskPassword.tsx'
import { words as allWords } from './words.ts'

const words = allWords.passkeys

interface Props {
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

export default function AddPasskey({ onClose, onDone }: Props) {
  const [isClosed, setClosed] = useState(false)
  return (
    <AskPassword
      title={words.title}
      text={words.begin}
      action={words.continue}
      pending={words.waiting}
      nameField={{ label: words.name, hint: words.nameHint }}
      note={isClosed ? words.closed : null}
      onClose={onClose}
      onProof={async ({ name, password }) => {
        setClosed(false)
        const added = await addPasskey(name, password)
        if (added) onDone(added.recoveryCodes)
        else setClosed(true)
      }}
    />
  )
}
