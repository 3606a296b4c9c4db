/** The four access states: loading, signed out, signed in without an agency, signed in with one. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore, type ComponentType } from 'react'
import { onFirstSign } from '../lib/first-sign.ts'
import { lazyPart } from '../lib/lazy-part.tsx'
import { agencyQuery, userQuery } from '../lib/access-queries.ts'
import { membershipLoss } from '../lib/membership-loss.ts'
import { sessionLoss } from '../lib/session-loss.ts'
import { LoadError } from '../ui/LoadError.tsx'
import { PageSpinner } from '../ui/Spinner.tsx'
import { isByLink } from './by-link.ts'
import { words as pageWords } from '../ui/page-words.ts'
import { quiet } from '../ui/quiet.ts'
import { firstToast } from '../ui/toast.ts'

export const Shell = lazyPart(() => import('./Shell.tsx'))
const MembershipEnded = lazyPart(() => import('./MembershipEnded.tsx'))
const SignInAgain = lazyPart(() => import('./SignInAgain.tsx'))
const loadToasts = () => import('../ui/ToastRegion.tsx')
// The screen stays when the toasts can't be loaded.
const ToastRegion = lazy<ComponentType>(() => loadToasts().catch(() => ({ default: () => null })))

export function Gate() {
  const ended = useSyncExternalStore(membershipLoss.subscribe, membershipLoss.get)
  return (
    <>
      <Suspense fallback={<PageSpinner />}>
        {ended === null ? <Access /> : <MembershipEnded sentence={ended} />}
      </Suspense>
      <Loss />
      <Toasts />
    </>
  )
}

function Loss() {
  const lost = useSyncExternalStore(sessionLoss.subscribe, sessionLoss.isLost)
  return <Suspense fallback={null}>{lost && <SignInAgain />}</Suspense>
}

function Toasts() {
  // Here before it is needed: a server that is gone could not send what says so.
  useEffect(() => {
    const load = () => void loadToasts().catch(() => undefined)
    const timer = setTimeout(load, quiet)
    const stop = onFirstSign(load)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  const come = useSyncExternalStore(firstToast.subscribe, firstToast.hasCome)
  return <Suspense fallback={null}>{come && <ToastRegion />}</Suspense>
}

function Access() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  // The screen that is here now: it stays for a moment after the address has gone on.
  const shown = useMatches({ select: (matches) => matches.at(-1)?.pathname })
  // A link is its own permission.
  const byLink = isByLink(path)
  const user = useQuery({ ...userQuery, enabled: !byLink })
  const agency = useQuery({ ...agencyQuery, enabled: Boolean(user.data) && !byLink })

  if (byLink) return <Outlet />
  if (user.isPending) return <PageSpinner />
  if (user.isError) {
    return (
      <main className="mx-auto grid min-h-dvh max-w-dialog content-center p-6">
        <h1 className="sr-only">{pageWords.product}</h1>
        <LoadError what={pageWords.product} error={user.error} onRetry={() => void user.refetch()} />
      </main>
    )
  }
  if (user.data === null) {
    if (path !== '/') return <Navigate to="/" replace />
    return shown === '/' ? <Outlet /> : <PageSpinner />
  }
  if (agency.isPending) return <PageSpinner />
  if (!agency.data) {
    if (path !== '/onboarding') return <Navigate to="/onboarding" replace />
    // Before the agency is there, no other screen may ask for what belongs to it.
    return shown === '/onboarding' ? <Outlet /> : <PageSpinner />
  }
  if (path === '/onboarding') return <Navigate to="/" replace />
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}
