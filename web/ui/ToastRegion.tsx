/** The only module that knows react-aria's toasts, whose names are still unstable. */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useRef, useState, type PointerEvent } from 'react'
import { Button } from 'react-aria-components/Button'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as AriaToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as AriaToastRegion,
  type QueuedToast,
} from 'react-aria-components/Toast'
import { buttonStyle } from './button-style.ts'
import type { ToastContent } from './toast.ts'
import { words } from './words.ts'

const shownFor = 5000
const swipeAway = 50

const queue = new ToastQueue<ToastContent>({ maxVisibleToasts: 1 })

/** The newest toast replaces the one before. */
export function showToast(content: ToastContent): void {
  queue.clear()
  queue.add(content, { timeout: shownFor })
}

export default function ToastRegion() {
  return (
    <AriaToastRegion
      queue={queue}
      aria-label={words.notifications}
      className="fixed top-0 right-0 z-50 w-full max-w-toast p-3 outline-none sm:top-auto sm:bottom-0 sm:p-4"
    >
      {({ toast }) => <Toast toast={toast} />}
    </AriaToastRegion>
  )
}

function Toast({ toast }: { readonly toast: QueuedToast<ToastContent> }) {
  const { title, description, detail, variant = 'default' } = toast.content
  const swipe = useSwipeRight(() => queue.close(toast.key))
  const bad = variant === 'destructive'
  return (
    <AriaToast
      toast={toast}
      data-variant={variant}
      className="flex items-start gap-3 rounded-card bg-float p-4 shadow-float animate-in fade-in-0 slide-in-from-bottom-2 duration-180"
    >
      {/* With words selected by a first try, the browser would drag those instead. */}
      <div className="flex min-w-0 flex-1 touch-pan-y items-start gap-3 select-none" {...swipe}>
        <span aria-hidden className={`mt-px [&_svg]:size-4.5 ${bad ? 'text-rejected-ink' : 'text-published-ink'}`}>
          {bad ? <CircleAlert /> : <CircleCheck />}
        </span>
        <AriaToastContent className="flex min-w-0 flex-1 flex-col gap-0.5">
          <Text slot="title" className="font-semibold">
            {title}
          </Text>
          {description !== undefined && (
            <Text slot="description" className="text-quiet wrap-anywhere">
              <span className="block">{description}</span>
              {detail !== undefined && <span className="block">{detail}</span>}
            </Text>
          )}
        </AriaToastContent>
      </div>
      <Button
        slot="close"
        aria-label={words.close}
        className={buttonStyle({ look: 'quiet', size: 'icon', className: '-m-1.5' })}
      >
        <X aria-hidden />
      </Button>
    </AriaToast>
  )
}

function useSwipeRight(onAway: () => void) {
  const from = useRef<number | null>(null)
  const [shift, setShift] = useState(0)
  const end = () => {
    if (shift > swipeAway) onAway()
    from.current = null
    setShift(0)
  }
  return {
    onPointerDown: (event: PointerEvent) => (from.current = event.clientX),
    onPointerMove: (event: PointerEvent) => {
      if (from.current !== null) setShift(Math.max(0, event.clientX - from.current))
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    style: shift > 0 ? { transform: `translateX(${shift}px)` } : {},
  }
}
