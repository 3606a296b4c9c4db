import { useEffect, type ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly aside?: ReactNode
  /** Leaves more of the window to a list. */
  readonly dense?: boolean
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · SocialAI`
  }, [title])
}

export function PageHeader({ title, text, actions, aside, dense = false }: Props) {
  useTitle(title)
  return (
    <header className={`${dense ? '-mt-3 mb-1' : 'mb-6'} flex flex-wrap items-end justify-between gap-x-6 gap-y-4`}>
      <div className="min-w-0">
        <div className="flex items-center gap-3">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {aside}
        </div>
        {text !== undefined && <p className="mt-1 max-w-text text-quiet">{text}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
