import type { ComponentProps } from 'react'

export const cardStyle = 'rounded-card border border-line bg-surface'

export function Card({ className = '', ...props }: ComponentProps<'div'>) {
  return <div {...props} className={`${cardStyle} p-5 sm:p-6 ${className}`} />
}
