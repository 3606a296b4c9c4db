import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonStyle } from './button-style.ts'
import { words } from './page-words.ts'
import { Spinner } from './Spinner.tsx'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'onClick'>, ButtonStyle {
  readonly onPress?: () => void
  readonly pending?: boolean
  readonly className?: string
}

// Takes no second press and keeps the focus, as the other button does.
const held = { type: 'button', 'aria-disabled': true } as const

/**
 * The browser's own button: for what is seen before anything else, where the library behind the other one would be
 * most of the wait.
 */
export function PlainButton({ look, size, wide, pending = false, className, children, onPress, ...props }: Props) {
  return (
    <button
      type="button"
      {...props}
      {...(onPress && !pending && { onClick: () => onPress() })}
      {...(pending && held)}
      className={buttonStyle({ look, size, wide, className })}
    >
      {pending && <Spinner label={words.working} size="sm" />}
      {children}
    </button>
  )
}
