import { useQuery } from '@tanstack/react-query'
import { agencyQuery } from './access-queries.ts'
import { blockedSentence } from './words.ts'

/** The agency behind every signed-in screen; the gate has loaded it. */
export const useAgency = () => useQuery(agencyQuery).data ?? null

/** The zone that all times are shown in. */
export const useZone = () => useAgency()?.timeZone ?? 'UTC'

/** Why nothing new can be started; null while trial or subscription run. */
export function useBlocked(): string | null {
  const standing = useAgency()?.standing ?? 'good'
  return standing === 'good' ? null : blockedSentence[standing]
}
