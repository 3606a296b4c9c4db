import { useState, type ComponentProps } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'

interface Props extends Omit<ComponentProps<typeof Dialog>, 'open' | 'alert'> {
  /** Something was typed that is saved nowhere. */
  readonly unsaved: boolean
}

/**
 * A dialog that people type into: Escape, a click beside it and its own buttons ask before they throw that away.
 * A Cancel button in it has `slot="close"`, so that it asks too.
 */
export function FormDialog({ unsaved, onClose, ...props }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Dialog {...props} open onClose={() => (unsaved ? setAsking(true) : onClose())} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Discard what you wrote?"
        cancel="Keep writing"
        action="Discard"
        onConfirm={onClose}
      >
        It was not saved yet.
      </ConfirmDialog>
    </>
  )
}
