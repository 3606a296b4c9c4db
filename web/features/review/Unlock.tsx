/** A locked link: opened by a passcode, or by a code that is mailed to the contact. */
import { useMutation } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { askedWith, keepSession } from './kept-session.ts'
import { words } from './words.ts'

interface Props {
  readonly token: string
  readonly needs: 'passcode' | 'code'
  readonly address: string | null
  readonly agency: string
  readonly onOpen: () => void
}

export function Unlock({ token, needs, address, agency, onOpen }: Props) {
  return (
    <section className="mx-auto max-w-form rounded-dialog border border-line bg-surface p-6 sm:mt-8 sm:p-8">
      <span
        aria-hidden
        className="mb-4 grid size-10 place-items-center rounded-full bg-accent-soft text-accent-ink [&_svg]:size-5"
      >
        <LockKeyhole />
      </span>
      <h1 className="text-xl font-semibold">{words.lockedTitle}</h1>
      {needs === 'passcode' ? (
        <>
          <p className="mt-1 mb-5 wrap-anywhere text-quiet">{words.passcodeText(agency)}</p>
          <SecretForm token={token} kind="passcode" onOpen={onOpen} />
        </>
      ) : (
        <UnlockByCode token={token} address={address} onOpen={onOpen} />
      )}
    </section>
  )
}

interface CodeProps {
  readonly token: string
  /** Shortened, as the server tells it. */
  readonly address: string | null
  readonly onOpen: () => void
}

export function UnlockByCode({ token, address, onOpen }: CodeProps) {
  const ask = useMutation({ mutationFn: () => call('POST /api/reviews/code', { body: { token } }) })
  const to = address ?? words.yourAddress
  return (
    <>
      <p aria-live="polite" className="mt-1 mb-5 wrap-anywhere text-quiet">
        {ask.isSuccess ? words.codeSent(to) : words.codeText(to)}
      </p>
      <div className="flex flex-col gap-4">
        {ask.isSuccess && <SecretForm token={token} kind="code" onOpen={onOpen} />}
        <ServerError message={ask.isError ? errorText(ask.error) : null} />
        <PlainButton
          look={ask.isSuccess ? 'link' : 'primary'}
          size={ask.isSuccess ? 'inline' : 'lg'}
          wide={!ask.isSuccess}
          className={ask.isSuccess ? 'min-h-11 self-start' : ''}
          pending={ask.isPending}
          onPress={() => ask.mutate()}
          data-testid="button-send-code"
        >
          {ask.isPending ? words.sending : ask.isSuccess ? words.sendAgain : words.sendCode}
        </PlainButton>
      </div>
    </>
  )
}

interface SecretProps {
  readonly token: string
  readonly kind: 'passcode' | 'code'
  readonly onOpen: () => void
}

function SecretForm({ token, kind, onOpen }: SecretProps) {
  const [secret, setSecret] = useState('')
  const [showsError, setShowsError] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const unlock = useMutation({
    mutationFn: (typed: string) =>
      call('POST /api/reviews/unlock', {
        body: { ...askedWith(token), ...(kind === 'code' ? { code: typed } : { passcode: typed }) },
      }),
    onSuccess: ({ session }) => {
      keepSession(token, session)
      onOpen()
    },
  })
  const typed = kind === 'code' ? secret.replaceAll(/\s/g, '') : secret
  const missing = kind === 'code' ? !/^\d{6}$/.test(typed) && words.codeMissing : typed === '' && words.passcodeMissing
  // The field comes after the button that asked for it was pressed.
  useEffect(() => {
    form.current?.querySelector('input')?.focus()
  }, [])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsError(true)
    if (missing) return void requestAnimationFrame(() => focusFirstError(form.current))
    if (!unlock.isPending) unlock.mutate(typed)
  }
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        label={words[kind]}
        value={secret}
        onChange={setSecret}
        required
        error={showsError && missing ? missing : undefined}
        {...(kind === 'code'
          ? ({ autoComplete: 'one-time-code' } as const)
          : ({ type: 'password', autoComplete: 'off' } as const))}
      />
      <ServerError message={unlock.isError ? errorText(unlock.error) : null} />
      <PlainButton look="primary" size="lg" wide type="submit" pending={unlock.isPending} data-testid="button-unlock">
        {unlock.isPending ? words.opening : words.open}
      </PlainButton>
    </form>
  )
}
