import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '../lib/lazy-part.tsx'
import { userQuery } from '../lib/access-queries.ts'
import { sessionLoss } from '../lib/session-loss.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { words } from './words.ts'

const SignIn = lazyPart(() => import('../features/landing/SignIn.tsx'))

/** Over the screen that was open. */
export default function SignInAgain() {
  const { data: user } = useQuery(userQuery)
  return (
    <Dialog
      open
      onClose={() => sessionLoss.set(false)}
      title={words.sessionEnded}
      description={words.signInAgain}
      width="small"
    >
      <Suspense fallback={<Skeleton className="h-56" />}>
        <SignIn typed={{ email: user?.email ?? '' }} />
      </Suspense>
    </Dialog>
  )
}
