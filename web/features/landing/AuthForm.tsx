/** A form that can be typed into at once. Its engine comes with the first sign of a person, and takes over what was typed. */
import { useEffect, useLayoutEffect, useRef, useState, type ComponentType } from 'react'
import { onFirstSign } from '../../lib/first-sign.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthLook, type AuthKind } from './AuthLook.tsx'
import { focusedIn, refocus, type Focused } from './refocus.ts'

export type Typed = Readonly<Record<string, string>>

interface LiveProps {
  readonly typed: Typed
}

const load: Readonly<Record<AuthKind, () => Promise<ComponentType<LiveProps>>>> = {
  register: () => import('./RegisterForm.tsx').then((module) => module.default),
  login: () => import('./LoginForm.tsx').then((module) => module.default),
}

interface Live {
  readonly Form: ComponentType<LiveProps>
  readonly focused: Focused | null
}

export function AuthForm({ kind }: { readonly kind: AuthKind }) {
  const [typed, setTyped] = useState<Typed>({})
  const [live, setLive] = useState<Live | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const sent = useRef(false)

  const wake = () =>
    load[kind]().then(
      (Form) => setLive((before) => before ?? { Form, focused: focusedIn(box.current) }),
      () => sent.current && sayGone(),
    )
  useEffect(() => {
    const later = () =>
      load[kind]().then(
        (Form) => setLive((before) => before ?? { Form, focused: focusedIn(box.current) }),
        () => undefined,
      )
    return onFirstSign(() => void later())
  }, [kind])
  useLayoutEffect(() => {
    if (!live) return
    refocus(box.current, live.focused)
    if (sent.current) box.current?.querySelector('form')?.requestSubmit()
  }, [live])

  return (
    <div ref={box}>
      {live ? (
        <live.Form typed={typed} />
      ) : (
        <AuthLook
          kind={kind}
          formProps={{
            onFocus: () => void wake(),
            onSubmit: (event) => {
              event.preventDefault()
              sent.current = true
              void wake()
            },
          }}
          renderField={({ name, half: _half, ...look }: StandIn) => (
            <TextField
              {...look}
              name={name}
              value={typed[name] ?? ''}
              onChange={(value) => {
                setTyped((before) => ({ ...before, [name]: value }))
                void wake()
              }}
            />
          )}
        />
      )}
    </div>
  )
}

interface StandIn {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly autoComplete: string
  readonly hint?: string
  readonly half?: true
}

const sayGone = () =>
  toast({ title: 'Error', description: 'The server cannot be reached. What you typed is still here; try again in a moment.', variant: 'destructive' })
