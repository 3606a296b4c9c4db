/** What a person may do with a post, by their rights on its client: beside the state, which decides for everyone. */
import type { PostCommand, PostStatus } from './commands.ts'
import { abilitiesOf, type Ability, type Standpoint } from './state-table.ts'

/** `read`: nothing; `write`: drafts, up to their submission; `approve`: everything. */
export type Rights = 'read' | 'write' | 'approve'

/** The acting person. A process has all rights, and no user id. */
export interface Acting {
  readonly rights: Rights
  readonly userId: string | null
  /** False: a member can't approve a post whose current text or image they wrote. */
  readonly mayApproveOwn: boolean
}

export const everyRight: Acting = { rights: 'approve', userId: null, mayApproveOwn: true }

/** Who wrote what the post has now; null for a process, and where it is unknown. */
export interface Authors {
  readonly textBy: string | null
  readonly imageBy: string | null
  readonly imageUrl: string | null
}

const drafts: readonly PostStatus[] = ['draft', 'rejected']

export function isAllowed(rights: Rights, ability: Ability, status: PostStatus): boolean {
  if (rights !== 'write') return rights === 'approve'
  switch (ability) {
    case 'edit':
    case 'plan':
    case 'submit':
    case 'assign':
      return true
    case 'delete':
      return drafts.includes(status)
    case 'return-to-draft':
      // To take a submission back. An approval is not theirs to void.
      return status === 'pending' || status === 'draft'
    default:
      return false
  }
}

/** Scheduling and publishing now are approvals, too. */
const approving: ReadonlySet<Ability> = new Set<Ability>(['approve', 'schedule', 'publish-now'])

export const isOwn = ({ textBy, imageBy, imageUrl }: Authors, userId: string | null): boolean =>
  userId !== null && (textBy === userId || (imageUrl !== null && imageBy === userId))

/** What the person may do with the post as it is. */
export const abilitiesFor = (post: Standpoint & Authors, { rights, userId, mayApproveOwn }: Acting): Ability[] =>
  abilitiesOf(post).filter(
    (ability) =>
      isAllowed(rights, ability, post.status) && (mayApproveOwn || !approving.has(ability) || !isOwn(post, userId)),
  )

/** The ability that a person's command needs; null for a process's own, and for a new post. */
export function abilityFor({ type }: PostCommand): Ability | null {
  switch (type) {
    case 'ReviseContent':
    case 'ReplaceImage':
      return 'edit'
    case 'PlanPost':
      return 'plan'
    case 'SubmitPost':
      return 'submit'
    case 'ApprovePost':
      return 'approve'
    case 'RejectPost':
      return 'reject'
    case 'SchedulePost':
      return 'schedule'
    case 'PublishPostNow':
      return 'publish-now'
    case 'ReschedulePost':
      return 'reschedule'
    case 'ReturnPostToDraft':
      return 'return-to-draft'
    case 'ResolveAsLive':
    case 'ResolveAsNotLive':
      return 'resolve'
    case 'RetryPost':
      return 'retry'
    case 'ReleasePost':
      return 'release'
    case 'AssignPost':
      return 'assign'
    case 'DeletePost':
      return 'delete'
    default:
      return null
  }
}
