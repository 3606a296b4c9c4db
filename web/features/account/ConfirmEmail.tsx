import { AtSign, Check, Clock } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { isWhole } from '../../lib/mailed-token.ts'
import { useOneAtATime } from '../../ui/one-at-a-time.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { askWhoIsThere, GoOn, LinkPage, useMailedToken, Words } from './LinkPage.tsx'

export function ConfirmEmail() {
  const token = useMailedToken()
  return (
    <LinkPage title="Your new e-mail address">
      <Steps key={token} token={token} />
    </LinkPage>
  )
}

const startAgain = 'To start again, sign in and choose “Change E-mail” in Settings.'

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
    return (
      <Over
        title="This link is not complete"
        text={`Open it once more from the e-mail, or copy all of it. ${startAgain}`}
        takesFocus={false}
      />
    )
  if (state.is === 'done') {
    return (
      <>
        <Words
          icon={<Check />}
          tone="good"
          title={`Your e-mail address is now ${state.email}`}
          text="Sign in with it from now on. What we have to tell you goes there too."
          takesFocus
        />
        <GoOn />
      </>
    )
  }
  const status = state.is === 'failed' ? statusOf(state.error) : null
  if (status === 403)
    return (
      <Over
        title="This link doesn't work any more"
        text={`A link works once, and for 24 hours. A newer one, or a new password, ends it. ${startAgain}`}
        takesFocus
      />
    )
  if (status === 409)
    return (
      <Over
        title="This address has an account already"
        text={`Your own address stays as it is. ${startAgain}`}
        takesFocus
      />
    )
  return (
    <>
      <Words
        icon={<AtSign />}
        title="Use this address for your account?"
        text="You will sign in with the address that this link was sent to. Until you press the button, nothing changes."
      />
      <div className="mt-6 flex flex-col gap-4">
        <ServerError message={state.is === 'failed' ? errorText(state.error) : null} />
        <PlainButton look="primary" wide pending={state.is === 'pending'} onPress={() => oneAtATime(confirm)}>
          Use this address
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
