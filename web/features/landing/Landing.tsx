import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { LogoMark } from '../../ui/Logo.tsx'
import { useTitle } from '../../ui/PageHeader.tsx'
import { AuthSection, type AuthTab } from './AuthSection.tsx'
import { Features } from './Features.tsx'
import { signInHash } from './hash.ts'
import { Hero } from './Hero.tsx'
import { Pricing } from './Pricing.tsx'
import { words } from './words.ts'

export default function Landing() {
  useTitle(words.pageTitle)
  const [isToSignIn] = useState(() => location.hash.startsWith(`#${signInHash}`))
  const [tab, setTab] = useState<AuthTab>(isToSignIn ? 'login' : 'register')
  useEffect(() => {
    if (isToSignIn) document.getElementById('auth')?.scrollIntoView({ behavior: 'instant' })
  }, [isToSignIn])
  const goTo = (next: AuthTab) => {
    // The forms differ in height: the way there is measured with the one that will be shown.
    flushSync(() => setTab(next))
    document.getElementById('auth')?.scrollIntoView()
  }
  return (
    <div className="min-h-dvh bg-surface">
      <header className="mx-auto flex h-16 max-w-page items-center gap-2.5 px-4 sm:px-6">
        <LogoMark className="size-7" />
        <span className="text-lg font-semibold">{words.product}</span>
      </header>
      <main>
        <Hero onStart={() => goTo('register')} onSignIn={() => goTo('login')} />
        <AuthSection tab={tab} onTab={setTab} />
        <Features />
        <Pricing onStart={() => goTo('register')} />
      </main>
      <footer className="border-t border-line">
        <p className="mx-auto max-w-page px-4 py-8 text-sm text-quiet sm:px-6">{words.copyright}</p>
      </footer>
    </div>
  )
}
