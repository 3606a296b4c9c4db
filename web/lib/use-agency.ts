import { useQuery } from '@tanstack/react-query'
import { agencyQuery } from './queries.ts'

/** The agency behind every signed-in screen; the gate has loaded it. */
export const useAgency = () => useQuery(agencyQuery).data ?? null

/** The zone that all times are shown in. */
export const useZone = () => useAgency()?.timeZone ?? 'UTC'
