import { RefreshCw } from 'lucide-react'
import { Button } from './Button.tsx'

interface Props {
  readonly onRefresh: () => Promise<unknown>
  readonly busy: boolean
}

/** Nothing is refetched by itself, so every list has one. */
export function RefreshButton({ onRefresh, busy }: Props) {
  return (
    <Button look="quiet" onPress={() => void onRefresh()} isDisabled={busy}>
      <RefreshCw aria-hidden className={busy ? 'animate-spin' : ''} />
      Refresh
    </Button>
  )
}
