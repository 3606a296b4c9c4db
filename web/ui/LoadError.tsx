import { CloudOff } from 'lucide-react'
import { errorText } from '../lib/error-text.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

interface Props {
  readonly what: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** What happened, and the one thing to do. */
export function LoadError({ what, error, onRetry }: Props) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={`${what} could not be loaded`}
        text={errorText(error)}
        action={<Button onPress={onRetry}>Try again</Button>}
      />
    </div>
  )
}
