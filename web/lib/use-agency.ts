import { useQuery } from '@tanstack/react-query'
import { agencyQuery } from './access-queries.ts'
import { isAtLeast, type MemberRole } from '../../api/contract/role-order.ts'
import { blockedSentence } from './words.ts'

/** The agency behind every signed-in screen; the gate has loaded it. */
export const useAgency = () => useQuery(agencyQuery).data ?? null

/** The zone that all times are shown in. */
export const useZone = () => useAgency()?.timeZone ?? 'UTC'

/** Whether the signed-in member has a role, or one above it. */
export function useMay(least: MemberRole): boolean {
  const me = useAgency()?.me
  return me !== undefined && isAtLeast(me.role, least)
}

/** Why nothing new can be started; null while trial or subscription run. */
export function useBlocked(): string | null {
  const standing = useAgency()?.standing ?? 'good'
  return standing === 'good' ? null : blockedSentence[standing]
}
