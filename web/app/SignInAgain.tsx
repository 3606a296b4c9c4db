import { useQuery } from '@tanstack/react-query'
import SignIn from '../features/landing/SignIn.tsx'
import { userQuery } from '../lib/queries.ts'
import { sessionLoss } from '../lib/session-loss.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Over the screen that was open. */
export default function SignInAgain() {
  const { data: user } = useQuery(userQuery)
  return (
    <Dialog
      open
      onClose={() => sessionLoss.set(false)}
      title="Your session has ended"
      description="Sign in again to go on. What you typed is still here; nothing of it was saved yet."
      width="small"
    >
      <SignIn typed={{ email: user?.email ?? '' }} />
    </Dialog>
  )
}
