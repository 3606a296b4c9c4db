import type { ReactNode } from 'react'
import { type StyleOf, variants } from './variants.ts'

const badge = variants({
  base: 'inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
  variants: {
    tone: {
      secondary: 'bg-n4 text-ink',
      default: 'bg-accent-soft text-accent-ink',
      draft: 'bg-draft-soft text-draft-ink',
      pending: 'bg-pending-soft text-pending-ink',
      approved: 'bg-approved-soft text-approved-ink',
      scheduled: 'bg-scheduled-soft text-scheduled-ink',
      published: 'bg-published-soft text-published-ink',
      rejected: 'bg-rejected-soft text-rejected-ink',
      unknown: 'bg-unknown-soft text-unknown-ink',
    },
  },
})

export type BadgeTone = NonNullable<StyleOf<typeof badge>['tone']>

interface Props {
  readonly tone: BadgeTone
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly testId?: string
}

export function Badge({ tone, icon, children, testId }: Props) {
  return (
    <span className={badge({ tone })} data-testid={testId}>
      {icon}
      {children}
    </span>
  )
}
