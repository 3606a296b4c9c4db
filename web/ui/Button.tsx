import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { Spinner } from './Spinner.tsx'
import { type StyleOf, variants } from './variants.ts'

export const buttonStyle = variants({
  base: 'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors select-none disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  variants: {
    look: {
      primary: 'bg-accent text-on-accent shadow-lift hover:bg-accent-hover pressed:bg-accent-hover',
      secondary: 'border border-control/60 bg-surface text-ink shadow-lift hover:bg-n3 pressed:bg-n4',
      quiet: 'text-quiet hover:bg-n3 hover:text-ink pressed:bg-n4',
      danger: 'bg-danger text-white shadow-lift hover:bg-danger-hover',
      dangerQuiet: 'text-rejected-ink hover:bg-rejected-soft',
      link: 'text-accent-ink underline-offset-4 hover:underline',
    },
    size: {
      sm: 'h-8 px-3 text-sm',
      md: 'h-9 px-3.5 text-base',
      lg: 'h-11 px-5 text-lg',
      icon: 'size-8',
      inline: 'h-auto p-0 text-base',
    },
    wide: { true: 'w-full' },
  },
  defaults: { look: 'secondary', size: 'md' },
})

type Style = StyleOf<typeof buttonStyle>

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'>, Style {
  readonly children: ReactNode
  /** Shows that it works; the button stays in place, takes no second press and keeps the focus. */
  readonly pending?: boolean
  readonly className?: string
}

// The library's own pending state announces the button by its id, which leaves a name without a thing behind when the
// button goes before the announcement does. The spinner's words are a status already.
const held = { type: 'button', 'aria-disabled': true } as const

export function Button({ look, size, wide, pending = false, className, children, onPress, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(onPress && !pending && { onPress })}
      {...(pending && held)}
      className={buttonStyle({ look, size, wide, className })}
    >
      {pending && <Spinner label="Working" size="sm" />}
      {children}
    </AriaButton>
  )
}

interface AnchorProps extends Omit<ComponentProps<'a'>, 'className'>, Style {
  readonly className?: string
}

export function AnchorButton({ look, size, wide, className, children, ...props }: AnchorProps) {
  return (
    <a {...props} className={buttonStyle({ look, size, wide, className })}>
      {children}
    </a>
  )
}

/** A link to a screen that looks like a button. */
export const LinkButton = createLink(AnchorButton)
