/** A password that is being chosen: it can be looked at, and one that would be guessed at once is warned of. */
import { useEffect, useState } from 'react'
import { passwordFlawSentences, type PasswordFlaw } from '../../api/contract/password-rule.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'
import { words } from './page-words.ts'

export interface NewPasswordProps extends Omit<
  TextFieldProps,
  'type' | 'advice' | 'tool' | 'autoComplete' | 'spellCheck' | 'hint' | 'rows'
> {
  /** The account's email address, where it is known. */
  readonly email?: string
  readonly isShownAtFirst?: boolean
}

export function NewPasswordField({ email = '', isShownAtFirst = false, ...props }: NewPasswordProps) {
  const [isShown, setShown] = useState(isShownAtFirst)
  const flaw = useFlaw(props.value, email)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      spellCheck={false}
      hint={words.passwordHint}
      advice={{ said: flaw && passwordFlawSentences[flaw], tallest: passwordFlawSentences.common }}
      tool={
        <button
          type="button"
          onClick={() => setShown(!isShown)}
          className="absolute -top-1 -right-1 rounded-control px-1 py-1 text-sm font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          {isShown ? words.hide : words.show}
          <span className="sr-only">{` ${words.thePassword}`}</span>
        </button>
      }
    />
  )
}

type Judge = (password: string, email: string) => PasswordFlaw | null

function useFlaw(password: string, email: string): PasswordFlaw | null {
  const [judge, setJudge] = useState<Judge | null>(null)
  const isBegun = password !== ''
  useEffect(() => {
    if (!isBegun) return
    let isGone = false
    // Without the list there is no warning, and nothing else is amiss.
    void import('../lib/password-advice.ts').then(
      ({ guessableIn }) => isGone || setJudge(() => guessableIn),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [isBegun])
  return password.length >= 8 && judge ? judge(password, email) : null
}
