/** Which act a post in which state accepts: the one table, for the decider and for the `can` of every answer. */
import type { Delivery, PostStatus } from './commands.ts'

export const abilities = [
  'edit',
  'plan',
  'submit',
  'approve',
  'reject',
  'schedule',
  'reschedule',
  'return-to-draft',
  'resolve',
  'retry',
  'release',
  'delete',
] as const
export type Ability = (typeof abilities)[number]

interface Row {
  readonly status: readonly PostStatus[]
  /** Absent: any but `claimed` and `unknown`. */
  readonly delivery?: readonly Delivery[]
}

const settled: readonly Delivery[] = ['none', 'rejected', 'held', 'failed']
const onItsWay: readonly PostStatus[] = ['approved', 'scheduled']

const table: Readonly<Record<Exclude<Ability, 'delete'>, Row>> = {
  edit: { status: ['draft', 'rejected'] },
  plan: { status: ['draft'] },
  submit: { status: ['draft'] },
  approve: { status: ['pending'] },
  reject: { status: ['pending'] },
  schedule: { status: ['draft'] },
  reschedule: { status: onItsWay },
  'return-to-draft': { status: ['pending', ...onItsWay] },
  resolve: { status: onItsWay, delivery: ['unknown'] },
  retry: { status: onItsWay, delivery: ['failed'] },
  release: { status: onItsWay, delivery: ['held'] },
}

export interface Standpoint {
  readonly status: PostStatus
  readonly delivery: Delivery
}

export function may(ability: Ability, { status, delivery }: Standpoint): boolean {
  if (ability === 'delete') return true
  const row = table[ability]
  return row.status.includes(status) && (row.delivery ?? settled).includes(delivery)
}

/** The statuses an act starts from, for a sentence that says so. */
export const startsFrom = (ability: Ability): readonly PostStatus[] =>
  ability === 'delete' ? [] : table[ability].status

export const abilitiesOf = (post: Standpoint): Ability[] => abilities.filter((ability) => may(ability, post))
