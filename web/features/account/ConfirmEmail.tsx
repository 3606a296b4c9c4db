import { AtSign, Check, Clock } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { isWhole } from '../../lib/mailed-token.ts'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { askWhoIsThere, GoOn, LinkPage, useMailedToken, Words } from './LinkPage.tsx'
import { words } from './words.ts'

export function ConfirmEmail() {
  const token = useMailedToken()
  return (
    <LinkPage title={words.confirm.pageTitle}>
      <Steps key={token} token={token} />
    </LinkPage>
  )
}

type State =
  | { readonly is: 'open' }
  | { readonly is: 'pending' }
  | { readonly is: 'done'; readonly email: string }
  | { readonly is: 'failed'; readonly error: unknown }

function Steps({ token }: { readonly token: string }) {
  const oneAtATime = useOneAtATime()
  const [state, setState] = useState<State>({ is: 'open' })
  const confirm = async () => {
    setState({ is: 'pending' })
    try {
      const { email } = await call('POST /api/auth/email/confirm', { body: { token } })
      await askWhoIsThere()
      setState({ is: 'done', email })
    } catch (error) {
      setState({ is: 'failed', error })
    }
  }
  if (!isWhole(token))
    return <Over title={words.confirm.incomplete} text={words.confirm.incompleteText} takesFocus={false} />
  if (state.is === 'done') {
    return (
      <>
        <Words
          icon={<Check />}
          tone="good"
          title={words.confirm.done(state.email)}
          text={words.confirm.doneText}
          takesFocus
        />
        <GoOn />
      </>
    )
  }
  const status = state.is === 'failed' ? statusOf(state.error) : null
  if (status === 403) return <Over title={words.confirm.over} text={words.confirm.overText} takesFocus />
  if (status === 409) return <Over title={words.confirm.taken} text={words.confirm.takenText} takesFocus />
  return (
    <>
      <Words icon={<AtSign />} title={words.confirm.title} text={words.confirm.text} />
      <div className="mt-6 flex flex-col gap-4">
        <ServerError message={state.is === 'failed' ? errorText(state.error) : null} />
        <PlainButton look="primary" wide pending={state.is === 'pending'} onPress={() => oneAtATime(confirm)}>
          {words.confirm.action}
        </PlainButton>
      </div>
    </>
  )
}

function Over({
  title,
  text,
  takesFocus,
}: {
  readonly title: string
  readonly text: string
  readonly takesFocus: boolean
}) {
  return (
    <>
      <Words icon={<Clock />} tone="over" title={title} text={text} takesFocus={takesFocus} />
      <GoOn />
    </>
  )
}
