import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { buttonStyle, type ButtonStyle } from './button-style.ts'
import { useOneAtATime } from './one-at-a-time.ts'
import { words } from './page-words.ts'
import { Spinner } from './Spinner.tsx'

/** Presses do nothing while a promise that `onPress` gave is under way. */
export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'>, ButtonStyle {
  readonly children: ReactNode
  /** Shows that it works; the button stays in place, takes no second press and keeps the focus. */
  readonly pending?: boolean
  readonly className?: string
}

// The library's own pending state announces the button by its id, which leaves a name without a thing behind when the
// button goes before the announcement does. The spinner's words are a status already.
const held = { type: 'button', 'aria-disabled': true } as const

export function Button({ look, size, wide, pending = false, className, children, onPress, ...props }: ButtonProps) {
  const oneAtATime = useOneAtATime()
  return (
    <AriaButton
      {...props}
      {...(onPress && !pending && { onPress: (event) => oneAtATime(() => onPress(event)) })}
      {...(pending && held)}
      className={buttonStyle({ look, size, wide, className })}
    >
      {pending && <Spinner label={words.working} size="sm" />}
      {children}
    </AriaButton>
  )
}
