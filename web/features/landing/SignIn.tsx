/**
 * Signing in and, in the same place, what helps somebody who has forgotten the password. Neither loses what was
 * typed.
 */
import { useState } from 'react'
import type { Typed } from './AuthForm.tsx'
import { ForgotForm } from './ForgotForm.tsx'
import { LoginForm } from './LoginForm.tsx'

interface Props {
  readonly typed: Typed
  readonly forgotten?: boolean
}

export default function SignIn({ typed: first, forgotten = false }: Props) {
  const [typed, setTyped] = useState(first)
  const [view, setView] = useState<'first' | 'forgotten' | 'back'>(forgotten ? 'forgotten' : 'first')
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
  return (
    <LoginForm
      typed={typed}
      isBack={view === 'back'}
      onForgot={(values) => {
        setTyped(values)
        setView('forgotten')
      }}
    />
  )
}
