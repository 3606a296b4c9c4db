/**
 * The page behind a review link: a client's people see posts and decide on them, without an account. This part asks
 * for the posts while what shows them is on its way.
 */
import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { PageSpinner } from '../../ui/Spinner.tsx'
import { useReview, useTellOpened } from './use-review.ts'

const ReviewShown = lazyPart(() => import('./ReviewShown.tsx'))
void ReviewShown.preload()

const tokenShape = /^[\w-]{43}$/

/** Another link may be opened where this one was. */
const useToken = () =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener('hashchange', listener)
      return () => window.removeEventListener('hashchange', listener)
    },
    () => window.location.hash.slice(1),
  )

export function ReviewPage() {
  const token = useToken()
  return (
    <>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <Suspense fallback={<PageSpinner />}>
        {tokenShape.test(token) ? <Review key={token} token={token} /> : <ReviewShown review={null} />}
      </Suspense>
    </>
  )
}

function Review({ token }: { readonly token: string }) {
  const review = useReview(token)
  useTellOpened(token, review.known)
  return <ReviewShown review={{ token, ...review }} />
}
