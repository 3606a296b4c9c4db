/** The look of the cards of Security, and what they have in common. */
import type { ReactNode } from 'react'
import type { Factors } from '../../../api/contract/index.ts'
import { Card } from '../../ui/Card.tsx'

export interface FactorProps {
  readonly factors: Factors
  readonly isConfirmed: boolean
  /** Recovery codes that are shown only now; reads the factors again. */
  readonly onCodes: (codes: readonly string[]) => void
}

interface Props {
  readonly testId: string
  readonly title: string
  readonly text: string
  readonly aside?: ReactNode
  readonly children?: ReactNode
}

export function FactorCard({ testId, title, text, aside, children }: Props) {
  return (
    <Card data-testid={testId}>
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{title}</h2>
        {aside}
      </div>
      <p className="mt-1 text-quiet">{text}</p>
      {children}
    </Card>
  )
}
