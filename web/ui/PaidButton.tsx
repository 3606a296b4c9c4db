/**
 * A button for what takes a running trial or subscription. Without one it does nothing, keeps its place, and says
 * why.
 */
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { useBlocked } from '../lib/use-agency.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { tooltipStyle, tooltipTimes } from './Tooltip.tsx'
import { toast } from './toast.ts'
import { words } from './words.ts'

// Stays reachable by keyboard, so that screen readers announce the reason.
const blockedProps = { type: 'button', isDisabled: false, pending: false, 'aria-disabled': true } as const

export function PaidButton({ onPress, ...props }: ButtonProps) {
  const blocked = useBlocked()
  if (blocked === null) return <Button {...props} {...(onPress && { onPress })} />
  return (
    <TooltipTrigger {...tooltipTimes}>
      <Button {...props} {...blockedProps} onPress={({ pointerType }) => sayTo(pointerType, blocked)} />
      <Tooltip offset={8} className={tooltipStyle}>
        {blocked}
      </Tooltip>
    </TooltipTrigger>
  )
}

/** A finger opens no tooltip, and neither does a screen reader's press. */
function sayTo(pointerType: string, description: string): void {
  if (pointerType === 'touch' || pointerType === 'virtual') toast({ title: words.notPossible, description })
}
