/** The signed-in user's account and its settings. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { userQuery } from '../../lib/access-queries.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { words } from './words.ts'

const ChangePassword = lazyDialog(() => import('./ChangePassword.tsx'))
const ChangeName = lazyDialog(() => import('./ChangeName.tsx'))
const ChangeEmail = lazyDialog(() => import('./ChangeEmail.tsx'))
const SignOutEverywhere = lazyDialog(() => import('./SignOutEverywhere.tsx'))

export function YourAccount() {
  const { data: user } = useQuery(userQuery)
  const [open, setOpen] = useState<'name' | 'password' | 'email' | 'everywhere' | null>(null)
  const onClose = () => setOpen(null)
  if (!user) return null
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return (
    <Card data-testid="card-account">
      <h2 className="text-lg font-semibold">{words.account.heading}</h2>
      <div className="mt-4 flex items-center gap-3">
        <Avatar name={user.email} image={user.profileImageUrl} round />
        <p className="min-w-0">
          {name !== '' && <span className="block font-medium wrap-anywhere">{name}</span>}
          <span
            className={`block wrap-anywhere ${name === '' ? 'font-medium' : 'text-quiet'}`}
            data-testid="text-account-email"
          >
            {user.email}
          </span>
        </p>
      </div>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button onPress={() => setOpen('name')}>{words.account.changeName}</Button>
        <Button onPress={() => setOpen('password')}>{words.account.changePassword}</Button>
        <Button onPress={() => setOpen('email')}>{words.account.changeEmail}</Button>
        <LinkButton to="/settings/security">{words.account.security}</LinkButton>
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <p className="text-quiet">{words.account.elsewhere}</p>
        <Button look="dangerQuiet" className="mt-1 -ml-3.5" onPress={() => setOpen('everywhere')}>
          {words.account.signOutEverywhere}
        </Button>
      </div>
      {open === 'name' && <ChangeName user={user} onClose={onClose} />}
      {open === 'password' && <ChangePassword email={user.email} onClose={onClose} />}
      {open === 'email' && <ChangeEmail email={user.email} onClose={onClose} />}
      {open === 'everywhere' && <SignOutEverywhere onClose={onClose} />}
    </Card>
  )
}
