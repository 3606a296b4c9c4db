import type { Instant } from '../../../domain/core/event.ts'
import { idFromKey } from '../../core/agency-id.ts'

/**
 * The id of the post of a slot: whoever writes it, after whatever crash, writes the same one.
 * @param turn counts the times that the slot's post was taken back although the rules stayed: another time zone and back
 */
export const plannedPostId = (scheduleId: string, revision: number, slot: Instant, turn: number): string =>
  idFromKey(scheduleId, `planned-post:${revision}`, turn === 0 ? slot : `${slot}:${turn}`)
