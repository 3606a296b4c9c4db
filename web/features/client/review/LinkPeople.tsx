/** The people who acted through a review link, for the owner, who may erase them. */
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { formatDate } from '../../../lib/dates.ts'
import { reviewersQuery } from '../../../lib/review-queries.ts'
import { useZone } from '../../../lib/use-agency.ts'
import { Button } from '../../../ui/Button.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { PlainButton } from '../../../ui/PlainButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { Erasing } from './EraseReviewer.tsx'
import { words } from './words.ts'

const EraseReviewer = lazyDialog(() => import('./EraseReviewer.tsx'))

interface Props {
  readonly clientId: string
  readonly linkId: string
  /** The names of those whom the link was for. */
  readonly of: string
}

export function LinkPeople({ clientId, linkId, of }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  return (
    <div className="text-sm">
      <PlainButton
        ref={toggle}
        look="link"
        size="inline"
        className="min-h-8 text-sm!"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={words.peopleOf(of)}
        onPress={() => setOpen(!isOpen)}
        data-testid="button-link-people"
      >
        {words.reviewers}
      </PlainButton>
      <div id={id} hidden={!isOpen}>
        {isOpen && <List clientId={clientId} linkId={linkId} onErased={() => toggle.current?.focus()} />}
      </div>
    </div>
  )
}

function List({ clientId, linkId, onErased }: Omit<Props, 'of'> & { readonly onErased: () => void }) {
  const zone = useZone()
  const people = useQuery(reviewersQuery(clientId, linkId))
  const [erasing, setErasing] = useState<Erasing | null>(null)
  return (
    <>
      {people.isPending && (
        <>
          <output className="sr-only">{words.loadingReviewers}</output>
          <Skeleton className="h-10" />
        </>
      )}
      {people.isError && (
        <LoadError what={words.theReviewers} error={people.error} onRetry={() => void people.refetch()} />
      )}
      {people.data?.length === 0 && <p className="text-quiet">{words.noReviewers}</p>}
      <ul className="flex flex-col empty:hidden">
        {people.data?.map((person) => (
          <li key={person.id} className="flex items-center gap-3 py-1" data-testid="link-person">
            <p className="min-w-0 flex-1 wrap-anywhere">
              <span dir="auto" className="font-medium">
                {person.name}
              </span>
              <span className="text-quiet">
                {`, ${person.contactId === null ? words.onlyNamed : words.isContact}, ${words.since(formatDate(person.since, zone))}`}
              </span>
            </p>
            <Button
              look="dangerQuiet"
              size="sm"
              aria-label={words.eraseOf(person.name)}
              onPress={() => setErasing(person)}
              data-testid="button-erase"
            >
              {words.erase}
            </Button>
          </li>
        ))}
      </ul>
      {erasing && (
        <EraseReviewer clientId={clientId} person={erasing} onErased={onErased} onClose={() => setErasing(null)} />
      )}
    </>
  )
}
