import { buttonStyle } from '../../ui/button-style.ts'
import { authWords as words } from './auth-words.ts'

/** The page names the provider of single sign-on, where this server has one. A link works before any script does. */
export function SignOn() {
  const name = document.querySelector<HTMLMetaElement>('meta[name=sign-on]')?.content
  if (!name) return null
  const isInvitation = location.pathname.startsWith('/invitation')
  // Over a screen with unsaved text, it signs in in another tab.
  const target = location.pathname === '/' || isInvitation ? undefined : '_blank'
  return (
    <a
      href={`/api/auth/oidc${isInvitation ? '?from=invitation' : ''}`}
      target={target}
      className={buttonStyle({ wide: true })}
      data-testid="link-sign-on"
    >
      {words.signOn} {name}
    </a>
  )
}
