import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { words } from './words.ts'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  /** Names what is lost. */
  readonly title: string
  readonly children: ReactNode
  readonly action: string
  readonly cancel?: string
  readonly onConfirm: () => void
  readonly pending?: boolean
}

export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  cancel = words.cancel,
  onConfirm,
  pending = false,
}: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={children}
      alert
      width="small"
      footer={
        <>
          <Button onPress={onClose}>{cancel}</Button>
          <Button look="danger" onPress={onConfirm} pending={pending}>
            {action}
          </Button>
        </>
      }
    />
  )
}
