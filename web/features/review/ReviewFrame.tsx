/** The frame of the page: the agency's own head, in place of the product's. */
import { Clock } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { ReviewingAgency } from '../../../api/contract/index.ts'
import { AgencyHead } from '../../ui/AgencyHead.tsx'
import { words } from './words.ts'

interface Props {
  /** Null until it is known whose link it is. */
  readonly agency: ReviewingAgency | null
  readonly children: ReactNode
}

export function ReviewFrame({ agency, children }: Props) {
  const title = agency ? words.title(agency.name) : words.plainTitle
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className="min-h-dvh" data-testid="review-page">
      <AgencyHead agency={agency} />
      <main className="mx-auto max-w-dialog px-4 py-6 sm:py-10">{children}</main>
    </div>
  )
}

interface ToldProps {
  readonly title: string
  readonly text: string
}

/** A link that shows nothing, and what to do. */
export function Told({ title, text }: ToldProps) {
  return (
    <section className="mx-auto max-w-form rounded-dialog border border-line bg-surface p-6 sm:mt-8 sm:p-8">
      <span
        aria-hidden
        className="mb-4 grid size-10 place-items-center rounded-full bg-pending-soft text-pending-ink [&_svg]:size-5"
      >
        <Clock />
      </span>
      <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
      <p className="mt-1 wrap-anywhere text-quiet">{text}</p>
    </section>
  )
}
