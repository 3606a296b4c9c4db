import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'
import { words } from './words.ts'

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
  const typedIn = useLastFocused()
  const onKeep = () => {
    setAsking(false)
    // A click beside the dialog took the focus out of it, so there is nowhere that it would go back to by itself.
    requestAnimationFrame(() => requestAnimationFrame(() => typedIn.current?.focus()))
  }
  return (
    <>
      <Dialog {...props} open onClose={() => (unsaved ? setAsking(true) : onClose())} />
      {asking && (
        <ConfirmDialog
          open
          onClose={onKeep}
          title={words.discardTitle}
          cancel={words.keepWriting}
          action={words.discard}
          onConfirm={onClose}
        >
          {words.discardText}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The dialog's element that was typed in or pressed last. */
function useLastFocused() {
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.closest('[role=dialog]') && target.getAttribute('role') !== 'dialog')
        last.current = target
    }
    // The dialog's first element took the focus before this effect could listen.
    last.current =
      document.activeElement instanceof HTMLElement && document.activeElement.closest('[role=dialog]')
        ? document.activeElement
        : null
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return last
}
