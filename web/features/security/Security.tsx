/** How the user signs in, and where the user is signed in. */
import { Suspense } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { FactorCards } from './FactorCards.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { words } from './words.ts'

/** For the owner alone. */
const RequirementCard = lazyPart(() => import('./RequirementCard.tsx'))

const column = 'flex max-w-dialog min-w-0 flex-col gap-4 xl:max-w-none'

export function Security() {
  return (
    <>
      <PageHeader
        title={words.heading}
        text={words.text}
        actions={
          <LinkButton to="/settings" look="secondary">
            {words.back}
          </LinkButton>
        }
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className={column}>
          <FactorCards />
        </div>
        <div className={column}>
          <ForRole least="owner">
            <Suspense fallback={<Skeleton className="h-44" />}>
              <RequirementCard />
            </Suspense>
          </ForRole>
          <SessionsCard />
        </div>
      </div>
    </>
  )
}
