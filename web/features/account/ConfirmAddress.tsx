import { useQuery } from '@tanstack/react-query'
import { Check, Clock, MailCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import { userKey, userQuery } from '../../lib/access-queries.ts'
import { call } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { isWhole } from '../../lib/mailed-token.ts'
import { queryClient } from '../../lib/query-client.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { GoOn, LinkPage, useMailedToken, Words } from './LinkPage.tsx'
import { words as allWords } from './words.ts'

const words = allWords.address
const SignIn = lazyPart(() => import('../landing/SignIn.tsx'))

export function ConfirmAddress() {
  const token = useMailedToken()
  return (
    <LinkPage title={words.pageTitle}>
      <Steps key={token} token={token} />
    </LinkPage>
  )
}

type State = { readonly is: 'open' | 'pending' | 'done' } | { readonly is: 'failed'; readonly error: unknown }

function Steps({ token }: { readonly token: string }) {
  const oneAtATime = useOneAtATime()
  const { data: user, isPending } = useQuery(userQuery)
  const [state, setState] = useState<State>({ is: 'open' })
  const confirm = async () => {
    setState({ is: 'pending' })
    try {
      const confirmed = await call('POST /api/auth/address/confirm', { body: { token } })
      queryClient.setQueryData(userKey, confirmed)
      setState({ is: 'done' })
    } catch (error) {
      // The session ended meanwhile: signing in comes first.
      if (statusOf(error) === 401) queryClient.setQueryData(userKey, null)
      setState(statusOf(error) === 401 ? { is: 'open' } : { is: 'failed', error })
    }
  }
  if (!isWhole(token)) return <Over title={words.incomplete} text={words.incompleteText} takesFocus={false} />
  if (state.is === 'done') {
    return (
      <>
        <Words icon={<Check />} tone="good" title={words.done} text={words.doneText} takesFocus />
        <LinkButton to="/settings/security" look="primary" className="mt-6 w-full">
          {words.toSecurity}
        </LinkButton>
      </>
    )
  }
  if (isPending) return <Skeleton className="h-56" />
  if (!user) {
    return (
      <>
        <Words icon={<MailCheck />} title={words.signIn} text={words.signInText} />
        <div className="mt-6 border-t border-line pt-6">
          <Suspense fallback={<Skeleton className="h-56" />}>
            <SignIn typed={{}} />
          </Suspense>
        </div>
      </>
    )
  }
  const status = state.is === 'failed' ? statusOf(state.error) : null
  if (status === 403) return <Over title={words.over} text={words.overText} takesFocus />
  return (
    <>
      <Words icon={<MailCheck />} title={words.title} text={words.text(user.email)} />
      <div className="mt-6 flex flex-col gap-4">
        <ServerError message={state.is === 'failed' ? errorText(state.error) : null} />
        <PlainButton look="primary" wide pending={state.is === 'pending'} onPress={() => oneAtATime(confirm)}>
          {words.action}
        </PlainButton>
      </div>
    </>
  )
}

interface OverProps {
  readonly title: string
  readonly text: string
  readonly takesFocus: boolean
}

const Over = ({ title, text, takesFocus }: OverProps) => (
  <>
    <Words icon={<Clock />} tone="over" title={title} text={text} takesFocus={takesFocus} />
    <GoOn />
  </>
)
