import type { Instant } from '../../../domain/core/event.ts'
import { idFromKey } from '../../core/agency-id.ts'

/**
 * The id of a slot's post: every process, even after a crash, derives the same one. @param turn counts how often the
 * slot's post was withdrawn under the same rules, as by a change of time zone and back
 */
export const plannedPostId = (scheduleId: string, revision: number, slot: Instant, turn: number): string =>
  idFromKey(scheduleId, `planned-post:${revision}`, turn === 0 ? slot : `${slot}:${turn}`)
