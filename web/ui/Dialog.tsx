import { X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { buttonStyle } from './button-style.ts'
import { variants } from './variants.ts'

const panel = variants({
  // On a screen as short as one at 400 % zoom, all of the dialog scrolls: a footer in sight would leave no space.
  base: 'flex max-h-[calc(100dvh-1.5rem)] w-full sm:max-h-[calc(94dvh-7.5rem)] short:max-h-none flex-col rounded-dialog bg-float shadow-float outline-none entering:animate-in entering:fade-in-0 entering:zoom-in-97 entering:duration-180 exiting:animate-out exiting:fade-out-0 exiting:duration-120',
  variants: { width: { form: 'max-w-dialog', wide: 'max-w-wide-dialog', small: 'max-w-form' } },
  defaults: { width: 'form' },
})

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons; stay in sight while the content scrolls. */
  readonly footer?: ReactNode
  readonly width?: 'small' | 'form' | 'wide'
  /** Asks before something is lost: no closing by a click beside it. */
  readonly alert?: boolean
  /** Something runs in it: a click beside it closes nothing; Escape and its own buttons do. */
  readonly busy?: boolean
}

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = 'form',
  alert = false,
  busy = false,
}: Props) {
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable={!alert && !busy}
      className={`fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto bg-scrim p-3 sm:place-items-start sm:justify-items-center short:place-items-start ${width === 'small' ? 'sm:pt-[24dvh]' : 'sm:pt-[6dvh]'} entering:animate-in entering:fade-in-0 entering:duration-150 exiting:animate-out exiting:fade-out-0 exiting:duration-120`}
    >
      <Modal className={panel({ width })}>
        <AriaDialog role={alert ? 'alertdialog' : 'dialog'} className="flex min-h-0 flex-col outline-none">
          <header className="flex items-start gap-4 px-6 pt-5 pb-3">
            <div className="min-w-0 flex-1">
              <Heading slot="title" className="text-lg font-semibold wrap-anywhere text-ink">
                {title}
              </Heading>
              {description !== undefined && <p className="mt-1 max-w-text text-quiet">{description}</p>}
            </div>
            {!alert && (
              <AriaButton
                aria-label="Close"
                onPress={onClose}
                className={buttonStyle({ look: 'quiet', size: 'icon', className: '-mr-2' })}
              >
                <X aria-hidden />
              </AriaButton>
            )}
          </header>
          {children !== undefined && <DialogBody>{children}</DialogBody>}
          {footer !== undefined && (
            <footer className="flex flex-wrap items-end justify-end gap-2 border-t border-line px-6 py-4">
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Can be scrolled by keyboard where it has nothing else to focus. */
function DialogBody({ children }: { readonly children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = body.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const look = () => setScrolls(element.scrollHeight > element.clientHeight)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={body}
      className="min-h-0 flex-1 overflow-y-auto -outline-offset-2 short:overflow-visible"
      {...(scrolls && { tabIndex: 0 })}
    >
      <div className="px-6 pt-1 pb-6">{children}</div>
    </div>
  )
}
