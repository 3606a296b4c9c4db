import { CloudOff } from 'lucide-react'
import { errorText } from '../lib/error-text.ts'
import { PlainButton } from './PlainButton.tsx'
import { EmptyState } from './EmptyState.tsx'
import { words } from './page-words.ts'

interface Props {
  readonly what: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** The error, and the button to try again. */
export function LoadError({ what, error, onRetry }: Props) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={words.couldNotLoad(what)}
        text={errorText(error)}
        action={<PlainButton onPress={onRetry}>{words.tryAgain}</PlainButton>}
      />
    </div>
  )
}
