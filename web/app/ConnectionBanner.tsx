/** The one banner while the server can't be reached. */
import { CloudOff } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { connection, followNetwork } from '../lib/connection.ts'
import { words } from './words.ts'

export function ConnectionBanner() {
  const isAway = useSyncExternalStore(connection.subscribe, connection.isAway)
  useEffect(followNetwork, [])
  return (
    // Always there, so that screen readers announce what comes into it.
    <output aria-label={words.connection} data-testid="connection">
      {isAway && (
        <span className="flex min-h-9 items-center gap-2 border-b border-line bg-n3 px-4 py-1.5 text-sm text-quiet">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {words.offline}
        </span>
      )}
    </output>
  )
}
