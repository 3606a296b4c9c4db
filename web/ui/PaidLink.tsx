/** A link to where something new is begun: while that takes a payment first, a button in its place says so. */
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useBlocked } from '../lib/use-agency.ts'
import { AnchorButton } from './LinkButton.tsx'
import { PaidButton } from './PaidButton.tsx'

function Anchor(props: ComponentProps<typeof AnchorButton>) {
  const blocked = useBlocked()
  if (blocked === null) return <AnchorButton {...props} />
  const { look, size, wide, className, children, 'aria-label': label } = props
  return (
    <PaidButton
      {...{ look, size, wide }}
      {...(label !== undefined && { 'aria-label': label })}
      {...(className !== undefined && { className })}
    >
      {children}
    </PaidButton>
  )
}

export const PaidLink = createLink(Anchor)
