import type { ComponentProps } from 'react'
import { Focusable } from 'react-aria-components/Focusable'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'

export const tooltipStyle =
  'max-w-[min(22rem,calc(100vw-1.5rem))] rounded-control bg-n12 px-2 py-1 text-xs font-medium text-n1 entering:animate-in entering:fade-in-0 entering:duration-120'

/** Delays before a tooltip opens and closes, in milliseconds. */
export const tooltipTimes = { delay: 700, closeDelay: 300 } as const

interface Props {
  readonly text: string
  readonly delay?: number
  readonly placement?: 'right' | 'top' | 'bottom'
  readonly disabled?: boolean
  readonly children: ComponentProps<typeof Focusable>['children']
}

export function Tooltip({ text, delay = tooltipTimes.delay, placement = 'top', disabled = false, children }: Props) {
  return (
    <TooltipTrigger delay={delay} closeDelay={tooltipTimes.closeDelay} isDisabled={disabled}>
      <Focusable>{children}</Focusable>
      <AriaTooltip placement={placement} offset={8} className={tooltipStyle}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
