import { RefreshCw } from 'lucide-react'
import { Button } from '../Button.tsx'
import { newerWords } from './newer-words.ts'

interface Props {
  /** `Published`; null while nothing changed. */
  readonly what: string | null
  /** Undefined where nothing is left to show. */
  readonly onShow?: (() => void) | undefined
}

/** Says in an open dialog that its post changed elsewhere. */
export function NewerLine({ what, onShow }: Props) {
  return (
    // Always there, so that screen readers announce what comes into it.
    <output data-testid="newer-post" className={what === null ? 'sr-only' : 'mb-4 block'}>
      {what !== null && (
        <span className="flex min-h-9 items-center gap-2 rounded-control bg-accent-soft px-3 py-1.5 text-sm text-accent-ink">
          <RefreshCw aria-hidden className="size-4 shrink-0" />
          <span className="font-medium">{onShow ? `${what}:` : what}</span>
          {onShow && (
            <Button look="link" size="inline" onPress={onShow} className="font-semibold underline">
              {newerWords.show}
            </Button>
          )}
        </span>
      )}
    </output>
  )
}
