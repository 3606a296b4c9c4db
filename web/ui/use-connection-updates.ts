/** Says once how the visit to a network ended. The address brings a word for it, never a sentence. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accountsQuery } from '../lib/queries.ts'
import type { ConnectOutcome } from './connect-outcomes.ts'
import { toast } from './toast.ts'

const failures: Readonly<Record<Exclude<ConnectOutcome, 'connected' | 'choose'>, string>> = {
  canceled: 'Access was not allowed, so the account is not connected. You can connect it whenever you like.',
  'network-failed': 'The network could not connect the account. Please try again.',
  'unknown-account': 'This account is not there any more.',
  expired: 'The link to the network was used before or is too old. Connect the account again.',
}

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
      return toast({ title: 'Could not connect', description: failures[outcome], variant: 'destructive' })
    const accounts = clientId === undefined ? Promise.resolve([]) : queries.ensureQueryData(accountsQuery(clientId))
    void accounts
      .catch(() => [])
      .then((known) => known.find(({ id }) => id === accountId)?.accountName ?? 'The account')
      .then((name) => toast({ title: 'Account connected', description: `${name} is ready to publish.` }))
  }, [outcome, clientId, accountId, onTold, queries])
}
