/** Says something in passing. The region that shows it comes with the first one. */
export interface ToastContent {
  readonly title: string
  readonly description?: string
  /** A second line, for the server's own sentence. */
  readonly detail?: string
  readonly variant?: 'default' | 'destructive'
}

export function toast(content: ToastContent): void {
  void import('./ToastRegion.tsx').then(({ showToast }) => showToast(content))
}
