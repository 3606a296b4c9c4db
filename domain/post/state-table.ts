/** Which command a post accepts in which state: one table for the decider and for the `can` of every response. */
import type { Delivery, PostStatus } from './commands.ts'

export const abilities = [
  'edit',
  'plan',
  'submit',
  'approve',
  'skip-step',
  'reassign-step',
  'reject',
  'schedule',
  'publish-now',
  'reschedule',
  'return-to-draft',
  'resolve',
  'retry',
  'release',
  'assign',
  'delete',
] as const
export type Ability = (typeof abilities)[number]

interface Row {
  readonly status: readonly PostStatus[]
  /** Absent: any except `claimed` and `unknown`. */
  readonly delivery?: readonly Delivery[]
}

const settled: readonly Delivery[] = ['none', 'rejected', 'held', 'failed']
const onItsWay: readonly PostStatus[] = ['approved', 'scheduled']

const table: Readonly<Record<Exclude<Ability, 'assign' | 'delete'>, Row>> = {
  edit: { status: ['draft', 'rejected'] },
  plan: { status: ['draft'] },
  submit: { status: ['draft'] },
  approve: { status: ['pending'] },
  'skip-step': { status: ['pending'] },
  'reassign-step': { status: ['pending'] },
  reject: { status: ['pending'] },
  schedule: { status: ['draft'] },
  // A post on hold is released, and a failed one tried again.
  'publish-now': { status: ['draft', ...onItsWay], delivery: ['none', 'rejected'] },
  reschedule: { status: onItsWay },
  'return-to-draft': { status: ['pending', ...onItsWay] },
  resolve: { status: onItsWay, delivery: ['unknown'] },
  retry: { status: onItsWay, delivery: ['failed'] },
  release: { status: onItsWay, delivery: ['held'] },
}

export interface Standpoint {
  readonly status: PostStatus
  readonly delivery: Delivery
  /** Of a post that was submitted under an approval policy. */
  readonly round?: object | null | undefined
}

export function may(ability: Ability, { status, delivery, round }: Standpoint): boolean {
  if (ability === 'delete' || ability === 'assign') return true
  if ((ability === 'skip-step' || ability === 'reassign-step') && !round) return false
  const row = table[ability]
  return row.status.includes(status) && (row.delivery ?? settled).includes(delivery)
}

/** The statuses that an ability starts from, for an error sentence. */
export const startsFrom = (ability: Ability): readonly PostStatus[] =>
  ability === 'delete' || ability === 'assign' ? [] : table[ability].status

export const abilitiesOf = (post: Standpoint): Ability[] => abilities.filter((ability) => may(ability, post))
