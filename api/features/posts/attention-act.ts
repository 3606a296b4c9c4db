/** The one action that helps a post which needs a person. */
import { isAtLeast } from '../../../domain/agency/roles.ts'
import type { Member } from '../../../domain/agency/team-state.ts'
import type { Standing } from '../../../domain/core/values.ts'
import type { HoldReason } from '../../../domain/post/commands.ts'
import type { PostCardView } from '../../../projections/posts/view.ts'
import type { AttentionAct, AttentionKind } from '../../contract/attention.ts'

interface Circumstances {
  readonly isConnected: boolean
  readonly standing: Standing
}

export function actFor(
  kind: AttentionKind,
  { remedy, heldBecause }: Pick<PostCardView, 'remedy' | 'heldBecause'>,
  { isConnected, standing }: Circumstances,
): AttentionAct {
  switch (kind) {
    case 'unknown':
      return 'settle'
    case 'pending':
      return 'review'
    case 'draft':
      return 'open'
    case 'failed':
      if (remedy === 'edit') return 'return-to-draft'
      // The post may be live already: a person looks first.
      if (remedy === 'check') return 'open'
      return isConnected ? (blockedBy(standing) ?? 'retry') : 'connect'
    case 'held':
      return heldAct(heldBecause ?? 'overdue', isConnected, standing)
  }
}

function heldAct(because: HoldReason, isConnected: boolean, standing: Standing): AttentionAct {
  if (because === 'changed-account') return 'return-to-draft'
  if (!isConnected) return 'connect'
  return blockedBy(standing) ?? 'release'
}

/** A member without the right to the act looks at the post. */
export const actOf = (act: AttentionAct, { role }: Pick<Member, 'role'>): AttentionAct =>
  act === 'open' || isAtLeast(role, act === 'pay' ? 'owner' : 'manager') ? act : 'open'

const blockedBy = (standing: Standing): AttentionAct | null => (standing === 'good' ? null : 'pay')
