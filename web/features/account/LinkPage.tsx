/** The pages that mailed links open: signed in, signed out, or in another user's browser. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { mailedToken } from '../../lib/mailed-token.ts'
import { queryClient } from '../../lib/query-client.ts'
import { userQuery } from '../../lib/access-queries.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { useTitle } from '../../ui/PageHeader.tsx'
import { signInHash } from '../landing/hash.ts'
import { words } from './words.ts'

export const useMailedToken = () => useSyncExternalStore(mailedToken.subscribe, mailedToken.get)

export function LinkPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title)
  return (
    <div className="min-h-dvh">
      <meta name="robots" content="noindex" />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-16 max-w-page items-center gap-2.5 px-4 sm:px-6">
          <LogoMark className="size-7" />
          <span className="font-semibold">{words.product}</span>
        </div>
      </header>
      <main className="mx-auto max-w-form px-4 py-8 sm:px-0 sm:py-16">
        <div className="rounded-dialog border border-line bg-surface p-6 sm:p-8">{children}</div>
      </main>
    </div>
  )
}

interface WordsProps {
  readonly icon: ReactNode
  readonly tone?: 'plain' | 'good' | 'over'
  readonly title: string
  readonly text: ReactNode
  /** Replaces the form and is announced by screen readers. */
  readonly takesFocus?: boolean
}

const tones = {
  plain: 'bg-accent-soft text-accent-ink',
  good: 'bg-approved-soft text-approved-ink',
  over: 'bg-pending-soft text-pending-ink',
}

export function Words({ icon, tone = 'plain', title, text, takesFocus = false }: WordsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <>
      <span aria-hidden className={`mb-4 grid size-10 place-items-center rounded-full [&_svg]:size-5 ${tones[tone]}`}>
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
        {title}
      </h1>
      <p className="mt-1 text-quiet">{text}</p>
    </>
  )
}

/**
 * Reads the session again: the user may have been signed out or have a new address. The link's effect stands even if
 * this read fails.
 */
export const askWhoIsThere = () => queryClient.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => null)

/** Links to continue with, with and without a session. */
export function GoOn() {
  const { data: user } = useQuery(userQuery)
  return user ? (
    <LinkButton to="/settings" look="primary" className="mt-6 w-full">
      {words.toSettings}
    </LinkButton>
  ) : (
    <LinkButton to="/" hash={signInHash} look="primary" className="mt-6 w-full">
      {words.signIn}
    </LinkButton>
  )
}
