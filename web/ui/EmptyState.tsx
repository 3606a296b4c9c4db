import type { ReactNode } from 'react'

interface Props {
  readonly icon: ReactNode
  readonly title: string
  readonly text?: string
  readonly action?: ReactNode
}

export function EmptyState({ icon, title, text, action }: Props) {
  return (
    <div className="flex flex-col items-center rounded-card border border-dashed border-n6 px-6 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-12 place-items-center rounded-full bg-accent-soft text-accent-ink [&_svg]:size-6"
      >
        {icon}
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      {text !== undefined && <p className="mt-1 max-w-text text-quiet">{text}</p>}
      {action !== undefined && <div className="mt-5 max-w-full">{action}</div>}
    </div>
  )
}
