/** The look of both forms, before and after their engine is loaded. */
import type { ComponentProps, ReactNode } from 'react'
import { canUsePasskeys } from '../../lib/passkeys.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { authWords as words } from './auth-words.ts'
import { SignOn } from './SignOn.tsx'

interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'email' | 'password'
  readonly autoComplete: string
  readonly half?: true
}

const email = { name: 'email', label: words.fields.email, type: 'email', autoComplete: 'email' } as const

const looks = {
  register: {
    ...words.register,
    fields: [
      { name: 'firstName', label: words.fields.firstName, autoComplete: 'given-name', half: true },
      { name: 'lastName', label: words.fields.lastName, autoComplete: 'family-name', half: true },
      email,
      { name: 'password', label: words.fields.password, type: 'password', autoComplete: 'new-password' },
    ],
  },
  login: {
    ...words.login,
    fields: [
      email,
      { name: 'password', label: words.fields.password, type: 'password', autoComplete: 'current-password' },
    ],
  },
} as const satisfies Record<string, { readonly fields: readonly Field[]; readonly [word: string]: unknown }>

export type AuthKind = keyof typeof looks
export type AuthFieldOf<K extends AuthKind> = (typeof looks)[K]['fields'][number]

interface Props<K extends AuthKind> {
  readonly kind: K
  readonly formProps: ComponentProps<'form'>
  readonly renderField: (field: AuthFieldOf<K>) => ReactNode
  readonly error?: ReactNode
  /** Under the button. */
  readonly below?: ReactNode
  readonly renderButton?: (text: (pending: boolean) => ReactNode) => ReactNode
}

export function AuthLook<K extends AuthKind>({
  kind,
  formProps,
  renderField,
  error,
  below,
  renderButton = (text) => text(false),
}: Props<K>) {
  const { title, text, action, pending: actionPending } = looks[kind]
  const fields: readonly AuthFieldOf<K>[] = looks[kind].fields
  const named = (each: AuthFieldOf<K>) => <Place key={each.name}>{renderField(each)}</Place>
  const halves = fields.filter((each) => 'half' in each)
  return (
    <form {...formProps} noValidate aria-labelledby={`${kind}-title`} className="flex flex-col gap-4">
      <div>
        <h2 id={`${kind}-title`} className="text-xl font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-quiet">{text}</p>
      </div>
      {halves.length > 0 && <div className="grid gap-4 sm:grid-cols-2">{halves.map(named)}</div>}
      {fields.filter((each) => !('half' in each)).map(named)}
      {error}
      {renderButton((pending) => (
        <PlainButton look="primary" wide type="submit" pending={pending}>
          {pending ? actionPending : action}
        </PlainButton>
      ))}
      <SignOn />
      {below}
    </form>
  )
}

/** Under the button: another way in, and the way to a new password. */
export function LoginBelow({ onPress, pending = false }: BelowProps) {
  return (
    <>
      {canUsePasskeys() && (
        <PlainButton wide pending={pending} onPress={() => onPress('passkey')} data-testid="button-passkey">
          {words.passkey}
        </PlainButton>
      )}
      <ForgotButton onPress={() => onPress('forgot')} />
    </>
  )
}

interface BelowProps {
  readonly onPress: (what: 'passkey' | 'forgot') => void
  /** The browser asks for a passkey. */
  readonly pending?: boolean
}

/** Under the button: between the fields it would stand in the way of the keyboard. */
function ForgotButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <PlainButton look="link" size="inline" className="-my-1 self-center py-1" onPress={onPress}>
      {words.forgotQuestion}
    </PlainButton>
  )
}

const Place = ({ children }: { readonly children: ReactNode }) => children
