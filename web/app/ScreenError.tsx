import { PlainButton } from '../ui/PlainButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CloudOff } from 'lucide-react'
import { errorText } from '../lib/error-text.ts'

/** A screen that broke, most often because the server was gone when a part of it was asked for. */
export function ScreenError({ error }: { readonly error: unknown }) {
  return (
    <div role="alert" className="p-4">
      <EmptyState
        icon={<CloudOff />}
        title="This screen could not be shown"
        text={errorText(error)}
        action={<PlainButton onPress={() => location.reload()}>Load the page again</PlainButton>}
      />
    </div>
  )
}
