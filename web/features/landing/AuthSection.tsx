import { Tabs } from '../../ui/Tabs.tsx'
import { AuthForm } from './AuthForm.tsx'
import type { AuthKind } from './AuthLook.tsx'
import { signInHash } from './hash.ts'
import { words } from './words.ts'

export type AuthTab = AuthKind

interface Props {
  readonly tab: AuthTab
  readonly onTab: (tab: AuthTab) => void
}

export function AuthSection({ tab, onTab }: Props) {
  return (
    <section
      id="auth"
      aria-label={words.auth.section}
      className="scroll-mt-4 border-y border-line bg-canvas px-4 py-16 sm:px-6"
    >
      <div id={signInHash} className="mx-auto max-w-form rounded-dialog border border-line bg-surface p-6 sm:p-8">
        <Tabs
          label={words.auth.tabs}
          value={tab}
          onChange={(id) => onTab(id === 'login' ? 'login' : 'register')}
          tabs={[
            { id: 'register', label: words.auth.start, content: <AuthForm kind="register" /> },
            { id: 'login', label: words.auth.signIn, content: <AuthForm kind="login" /> },
          ]}
        />
      </div>
    </section>
  )
}
