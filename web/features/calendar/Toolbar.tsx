/** What the calendar shows: the page's title, its view, drafts, and the way to other pages. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { RefObject } from 'react'
import { calendarViews, type CalendarChoice, type CalendarView } from '../../lib/calendar-choice.ts'
import { Button } from '../../ui/Button.tsx'
import { words } from './words.ts'

interface Props {
  readonly title: string
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly choice: CalendarChoice
  readonly onView: (view: CalendarView) => void
  readonly onDrafts: (drafts: boolean) => void
  readonly onToday: () => void
  /** Null where there is no such page. */
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

export function Toolbar({ title, heading, choice, onView, onDrafts, onToday, onPrevious, onNext }: Props) {
  const unit = choice.view === 'week' ? 'week' : 'month'
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <h2
        ref={heading}
        tabIndex={-1}
        className="mr-auto text-xl font-semibold"
        aria-live="polite"
        data-testid="text-month"
      >
        {title}
      </h2>
      <label className="flex h-9 cursor-default items-center gap-2 px-1 text-quiet hover:text-ink max-sm:order-2">
        <input
          type="checkbox"
          checked={choice.drafts}
          onChange={({ target }) => onDrafts(target.checked)}
          className="size-4 accent-accent"
          data-testid="toggle-drafts"
        />
        {words.showDrafts}
      </label>
      <fieldset className="flex rounded-control border border-control/60 bg-surface p-0.5 max-sm:order-1">
        <legend className="sr-only">{words.view}</legend>
        {calendarViews.map((view) => (
          <label
            key={view}
            className="relative flex h-7.5 cursor-default items-center rounded-control px-3 font-medium text-quiet transition-colors hover:text-ink has-checked:bg-n4 has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="calendar-view"
              value={view}
              checked={choice.view === view}
              onChange={() => onView(view)}
              className="absolute inset-0 opacity-0"
              data-testid={`view-${view}`}
            />
            {words.views[view]}
          </label>
        ))}
      </fieldset>
      <Button onPress={onToday}>{words.today}</Button>
      <Button
        size="icon"
        look="quiet"
        aria-label={words.previous(unit)}
        isDisabled={onPrevious === null}
        onPress={() => onPrevious?.()}
      >
        <ChevronLeft aria-hidden />
      </Button>
      <Button
        size="icon"
        look="quiet"
        aria-label={words.next(unit)}
        isDisabled={onNext === null}
        onPress={() => onNext?.()}
      >
        <ChevronRight aria-hidden />
      </Button>
    </div>
  )
}
