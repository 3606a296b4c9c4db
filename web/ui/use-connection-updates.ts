/** Says once how the visit to a network ended. The address brings a word for it, never a sentence. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accountsQuery } from '../lib/queries.ts'
import { toast } from './toast.ts'
import type { ConnectOutcome } from '../lib/connect-outcomes.ts'
import { words } from './words.ts'

interface News {
  readonly outcome: ConnectOutcome | undefined
  readonly clientId?: string
  readonly accountId?: string | undefined
  /** Takes the word out of the address. */
  readonly onShown: () => void
}

export function useConnectionOutcome({ outcome, clientId, accountId, onShown: onTold }: News): void {
  const queries = useQueryClient()
  const result = useRef<string | null>(null)
  useEffect(() => {
    const news = `${outcome} ${accountId}`
    // A choice is a dialog, not news.
    if (outcome === undefined || outcome === 'choose' || result.current === news) return
    result.current = news
    onTold()
    if (outcome !== 'connected')
      return toast({ title: words.notConnected, description: words.connectFailures[outcome], variant: 'destructive' })
    const accounts = clientId === undefined ? Promise.resolve([]) : queries.ensureQueryData(accountsQuery(clientId))
    void accounts
      .catch(() => [])
      .then((known) => known.find(({ id }) => id === accountId)?.accountName ?? words.theAccount)
      .then((name) => toast({ title: words.connected, description: words.readyToPublish(name) }))
  }, [outcome, clientId, accountId, onTold, queries])
}
