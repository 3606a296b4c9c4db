import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { startSession } from '../../lib/session.ts'
import { toast } from '../../ui/toast.ts'
import { authWords as words } from './auth-words.ts'

/** Signs in with a passkey alone. @param startsNow asks for it at once */
export function usePasskeySignIn(startsNow: boolean) {
  const [pending, setPending] = useState(false)
  const ask = async () => {
    setPending(true)
    try {
      const { signInWithPasskey } = await import('../../lib/use-passkey.ts')
      const user = await signInWithPasskey('first')
      if (!user) return
      await startSession(user)
      toast({ title: words.login.done, description: words.login.doneText })
    } catch (error) {
      toast({ title: words.login.failed, description: errorText(error), variant: 'destructive' })
    } finally {
      setPending(false)
    }
  }
  const hasStarted = useRef(false)
  const onStart = useEffectEvent(() => {
    if (!startsNow || hasStarted.current) return
    hasStarted.current = true
    void ask()
  })
  useEffect(() => onStart(), [])
  return { pending, ask: () => void ask() }
}
