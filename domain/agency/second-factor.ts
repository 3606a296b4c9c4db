/** By when a member needs a second factor, where the agency requires one. */
import type { Instant } from '../core/event.ts'
import type { Member, Team } from './team-state.ts'

export const secondFactorDays = 7

/** Seven days after the requirement or, if that was later, after the member joined. Null: none is required. */
export function secondFactorDueAt({ secondFactorSince }: Team, { joinedAt }: Member): Instant | null {
  if (secondFactorSince === null) return null
  const from = joinedAt !== null && joinedAt > secondFactorSince ? joinedAt : secondFactorSince
  return new Date(Date.parse(from) + secondFactorDays * 86_400_000).toISOString()
}
