import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonStyle } from './button-style.ts'

interface AnchorProps extends Omit<ComponentProps<'a'>, 'className'>, ButtonStyle {
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
