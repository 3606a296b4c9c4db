import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Sidebar } from './Sidebar.tsx'
import { words } from './words.ts'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
}

/** The sidebar on a phone: slides over the screen. */
export default function SidebarSheet({ open, onClose }: Props) {
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable
      className="fixed inset-0 z-40 bg-scrim entering:animate-in entering:fade-in-0 entering:duration-150 exiting:animate-out exiting:fade-out-0 exiting:duration-120"
    >
      <Modal className="h-dvh w-[18rem] max-w-[85vw] bg-surface shadow-float entering:animate-in entering:slide-in-from-left entering:duration-180 exiting:animate-out exiting:slide-out-to-left exiting:duration-150">
        <Dialog aria-label={words.sidebar} className="h-full outline-none" data-testid="sidebar-sheet">
          <Sidebar onNavigate={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
