import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { errorText, isFailedImport } from '../lib/error-text.ts'
import { connection } from '../lib/connection.ts'
import { retryParts } from '../lib/lazy-part.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { words } from './error-words.ts'

/** The path of the screen whose import was last asked for by Try again. */
let retriedPath: string | null = null

/** A screen that broke, most often because the server was away when a part of it was asked for. */
export function ScreenError({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const router = useRouter()
  const [isTrying, setTrying] = useState(false)
  useEffect(() => {
    if (retriedPath !== location.pathname || !isFailedImport(error)) return
    retriedPath = null
    // The server is there and has no such part: a newer version runs, whose parts have other names.
    void connection.look().then(() => connection.isAway() || location.reload())
  }, [error])
  const tryAgain = async () => {
    setTrying(true)
    retriedPath = location.pathname
    retryParts()
    await router.invalidate()
    reset()
    setTrying(false)
  }
  return (
    <div role="alert" className="p-4">
      <EmptyState
        icon={<CloudOff />}
        title={words.title}
        text={errorText(error)}
        action={
          <PlainButton pending={isTrying} onPress={() => void tryAgain()}>
            {words.tryAgain}
          </PlainButton>
        }
      />
    </div>
  )
}
