/**
 * A form that can be typed into at once. Its engine comes with the first sign of a person, and takes over what was
 * typed.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { onFirstSign } from '../../lib/first-sign.ts'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthLook, LoginBelow, type AuthKind } from './AuthLook.tsx'
import { focusedIn, refocus, type Focused } from './refocus.ts'
import { words } from './words.ts'

export type Typed = Readonly<Record<string, string>>

export interface LiveProps {
  readonly typed: Typed
  /** Whether *Show the password* was pressed. */
  readonly isPasswordShown: boolean
  /** Pressed below the form, before there was an engine. */
  readonly pressed: Pressed
}

const load: Readonly<Record<AuthKind, () => Promise<ComponentType<LiveProps>>>> = {
  register: () => import('./RegisterForm.tsx').then((module) => module.default),
  login: () => import('./SignIn.tsx').then((module) => module.default),
}

/** `back`: from the provider of single sign-on, which is no press. */
export type Pressed = 'submit' | 'forgot' | 'passkey' | 'back' | null

interface Live {
  readonly Form: ComponentType<LiveProps>
  readonly focused: Focused | null
  readonly pressed: Pressed
  readonly isPasswordShown: boolean
}

export function AuthForm({ kind }: { readonly kind: AuthKind }) {
  const [typed, setTyped] = useState<Typed>({})
  const [live, setLive] = useState<Live | null>(null)
  const box = useRef<HTMLDivElement>(null)
  /** Presses before the form's engine was loaded. */
  const pressed = useRef<Pressed>(null)

  // One synchronous step: a user who focused a field between reading and replacing the form would type into a removed
  // element.
  const comeAlive = (Form: Live['Form']): void => {
    // A button or link that is replaced while it is pressed would not be pressed.
    if (box.current?.querySelector(':is(a, button):active')) return afterPress(() => comeAlive(Form))
    flushSync(() => setLive((before) => before ?? liveOf(Form, box.current, pressed.current)))
  }
  const wake = () => void load[kind]().then(comeAlive, () => pressed.current && sayGone())
  const press = (what: NonNullable<Pressed>) => {
    pressed.current = what
    wake()
  }
  const onFirstInput = useEffectEvent(() => void load[kind]().then(comeAlive, () => undefined))
  useEffect(() => onFirstSign(onFirstInput), [])
  const onBack = useEffectEvent(() => kind === 'login' && location.hash.includes(':') && press('back'))
  useEffect(() => void onBack(), [])
  useLayoutEffect(() => {
    if (!live) return
    refocus(box.current, live.focused)
    if (pressed.current === 'submit') box.current?.querySelector('form')?.requestSubmit()
  }, [live])

  return (
    <div ref={box}>
      {live ? (
        <live.Form typed={typed} pressed={live.pressed} isPasswordShown={live.isPasswordShown} />
      ) : (
        <AuthLook
          kind={kind}
          formProps={{
            onFocus: wake,
            onSubmit: (event) => {
              event.preventDefault()
              press('submit')
            },
          }}
          renderField={({ name, half: _half, ...look }: StandIn) => {
            const field = {
              ...look,
              name,
              value: typed[name] ?? '',
              onChange: (value: string) => {
                setTyped((before) => ({ ...before, [name]: value }))
                wake()
              },
            }
            return look.autoComplete === 'new-password' ? <NewPasswordField {...field} /> : <TextField {...field} />
          }}
          below={kind === 'login' && <LoginBelow onPress={press} />}
        />
      )}
    </div>
  )
}

const liveOf = (Form: Live['Form'], box: HTMLElement | null, pressed: Pressed): Live => ({
  Form,
  focused: focusedIn(box),
  pressed,
  isPasswordShown: box?.querySelector('input[autocomplete=new-password][type=text]') != null,
})

interface StandIn {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly autoComplete: string
  readonly half?: true
}

function afterPress(next: () => void): void {
  const over = new AbortController()
  const end = () => {
    over.abort()
    // The click comes first.
    setTimeout(next)
  }
  for (const type of ['pointerup', 'pointercancel', 'keyup']) addEventListener(type, end, { signal: over.signal })
}

const sayGone = () =>
  toast({
    title: words.auth.error,
    description: words.auth.away,
    variant: 'destructive',
  })
