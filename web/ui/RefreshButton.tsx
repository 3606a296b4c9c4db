import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLiveUpdates, type Watched } from '../lib/live-updates.ts'
import { Button } from './Button.tsx'
import { words } from './words.ts'

interface Props {
  readonly onRefresh: () => Promise<unknown>
  readonly busy: boolean
  /** The list's addresses: the button says when they have changed. */
  readonly watched?: readonly Watched[]
}

const nothing: readonly Watched[] = []

/** Nothing is refetched by itself, so every list has one, which says when it is worth pressing. */
export function RefreshButton({ onRefresh, busy, watched = nothing }: Props) {
  const line = useSettled(useLiveUpdates(watched))
  const shown = busy ? null : line
  return (
    <>
      <output className="sr-only" data-testid="news">
        {shown}
      </output>
      {/* It stays a button while it works, or the keyboard would lose its place. */}
      <Button look="quiet" onPress={() => void (busy || onRefresh())} {...(busy && { 'aria-disabled': true })}>
        <RefreshCw aria-hidden className={busy ? 'animate-spin' : ''} />
        {words.refresh}
        {shown !== null && (
          <span className="tabular animate-in rounded-full bg-accent-soft px-2 py-0.5 text-xs text-accent-ink fade-in-0 duration-150">
            {shown}
          </span>
        )}
      </Button>
    </>
  )
}

const settledMs = 250

/** Changes that a running refetch will bring are not announced. */
function useSettled(line: string | null): string | null {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(line), settledMs)
    return () => clearTimeout(timer)
  }, [line])
  return line === null ? null : settled
}
