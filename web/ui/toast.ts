/** Says something in passing. The region that shows it comes with the first one. */
export interface ToastContent {
  readonly title: string
  readonly description?: string
  /** A second line, for the server's own sentence. */
  readonly detail?: string
  readonly variant?: 'default' | 'destructive'
}

let wanted = false
const waiting = new Set<() => void>()

/** Whether there has been a toast yet: the region is loaded with the first one. */
export const firstToast = {
  subscribe: (listener: () => void) => {
    waiting.add(listener)
    return () => waiting.delete(listener)
  },
  hasCome: () => wanted,
}

export function toast(content: ToastContent): void {
  wanted = true
  for (const listener of waiting) listener()
  void import('./ToastRegion.tsx').then(
    ({ showToast }) => showToast(content),
    () => undefined,
  )
}
