/** Tabs by the ARIA pattern. By hand: the collection machinery of a library would weigh more than the landing page. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { useScrollFade } from './use-scroll-fade.ts'

export interface TabItem {
  readonly id: string
  readonly label: ReactNode
  readonly count?: number | undefined
  readonly content: ReactNode
}

interface Props {
  readonly label: string
  readonly tabs: readonly TabItem[]
  readonly value: string
  readonly onChange: (id: string) => void
}

const tabStyle =
  'relative flex items-center gap-2 rounded-t-control px-3 py-2.5 max-sm:px-1.5 max-sm:text-sm font-medium whitespace-nowrap text-quiet transition-colors -outline-offset-2 after:absolute after:inset-x-2 max-sm:after:inset-x-1 after:-bottom-px after:h-0.5 after:rounded-full after:bg-accent-ink after:opacity-0 hover:text-ink aria-selected:text-ink aria-selected:after:opacity-100'

/** A sign beyond the fade, at an end of the row that hides further tabs. */
const moreStyle = 'pointer-events-none absolute top-1/2 size-4 -translate-y-1/2 text-quiet opacity-0 transition-opacity'

export function Tabs({ label, tabs, value, onChange }: Props) {
  const base = useId()
  const current = tabs.find(({ id }) => id === value) ?? tabs[0]
  const list = useScrollFade(`${base}-${current?.id}`)

  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(
      event.key,
      tabs.findIndex(({ id }) => id === current?.id),
      tabs.length,
    )
    const tab = to === null ? undefined : tabs[to]
    if (to === null || !tab) return
    event.preventDefault()
    onChange(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <div className="flex flex-col gap-5">
      <div className="relative -mx-1">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className="peer flex gap-1 max-sm:gap-0 overflow-x-auto scroll-fade scroll-px-10 border-b border-line px-1 [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${base}-${tab.id}`}
              aria-selected={tab.id === current?.id}
              aria-controls={`${base}-panel`}
              tabIndex={tab.id === current?.id ? 0 : -1}
              onClick={() => onChange(tab.id)}
              className={tabStyle}
            >
              {tab.label}
              {tab.count !== undefined && <span className="tabular -ml-1 text-quiet">{`(${tab.count})`}</span>}
            </button>
          ))}
        </div>
        <ChevronLeft aria-hidden className={`${moreStyle} left-0 peer-data-[before=true]:opacity-100`} />
        <ChevronRight
          aria-hidden
          data-testid="more-tabs"
          className={`${moreStyle} right-0 peer-data-[after=true]:opacity-100`}
        />
      </div>
      {current && (
        <div key={current.id} role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current.id}`}>
          {current.content}
        </div>
      )}
    </div>
  )
}

function target(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count
    case 'ArrowLeft':
      return (from - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
