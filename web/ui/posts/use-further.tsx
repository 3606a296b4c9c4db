/** On a phone, further acts wait behind *More*: a footer with all of them would take half of its screen. */
import { useId, useState, type ReactNode } from 'react'
import { PlainButton } from '../PlainButton.tsx'
import { words } from './words.ts'

/** @param inSight how many of the last ones a phone shows */
export function useFurther(actions: readonly ReactNode[], inSight: number) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const all = actions.filter((each) => each !== false && each !== undefined)
  const behind = all.slice(0, all.length - inSight)
  if (behind.length < 2) return { behind: null, more: null, inSight: all }
  return {
    behind: (
      <div id={id} className={`contents ${isOpen ? '' : 'max-sm:hidden'}`}>
        {behind}
      </div>
    ),
    more: (
      <PlainButton
        look="quiet"
        className="mr-auto -ml-2 sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onPress={() => setOpen(!isOpen)}
        data-testid="button-more-actions"
      >
        {words.more}
      </PlainButton>
    ),
    inSight: all.slice(behind.length),
  }
}
