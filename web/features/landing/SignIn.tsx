/**
 * Signing in, its second step and, in the same place, the way to a new password. None of them loses the address that
 * was typed.
 */
import { Suspense, useState } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { signOnSentence, takeSignOnOutcome } from '../../lib/sign-on.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Pressed, Typed } from './AuthForm.tsx'
import { ForgotForm } from './ForgotForm.tsx'
import { LoginForm } from './LoginForm.tsx'

const SecondStep = lazyPart(() => import('./SecondStep.tsx'))

interface Props {
  readonly typed: Typed
  readonly pressed?: Pressed
  /** How single sign-on ended, where the address no longer says so. */
  readonly outcome?: string | null
}

export default function SignIn({ typed: first, pressed = null, outcome: told = null }: Props) {
  const [typed, setTyped] = useState(first)
  const [outcome] = useState(() => (pressed === 'back' ? takeSignOnOutcome() : told))
  const [view, setView] = useState<'first' | 'forgotten' | 'back' | 'second'>(
    pressed === 'forgot' ? 'forgotten' : outcome === 'second-step' ? 'second' : 'first',
  )
  if (view === 'forgotten') {
    return (
      <ForgotForm
        email={typed['email'] ?? ''}
        onBack={(email) => {
          setTyped({ ...typed, email })
          setView('back')
        }}
      />
    )
  }
  if (view === 'second') {
    return (
      <Suspense fallback={<Skeleton className="h-56" />}>
        <SecondStep onBack={() => setView('back')} />
      </Suspense>
    )
  }
  return (
    <LoginForm
      typed={typed}
      isBack={view === 'back'}
      refusal={outcome === null ? null : signOnSentence(outcome)}
      startsWithPasskey={pressed === 'passkey' && view === 'first'}
      onForgot={(values) => {
        setTyped(values)
        setView('forgotten')
      }}
      onSecondStep={(email) => {
        setTyped({ email })
        setView('second')
      }}
    />
  )
}
