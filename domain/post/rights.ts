/** What a person may do with a post, by their rights on its client: beside the state, which decides for everyone. */
import { noApprovals, openStep, waitsFor, type ApprovalRound, type Approvals } from '../core/approval-round.ts'
import type { HoldReason, PostCommand, PostStatus } from './commands.ts'
import { abilitiesOf, type Ability, type Standpoint } from './state-table.ts'

/** `read`: nothing; `write`: drafts, up to their submission; `approve`: everything. */
export type Rights = 'read' | 'write' | 'approve'

/** The acting person. A process has all rights, and no user id. */
export interface Acting {
  readonly rights: Rights
  readonly userId: string | null
  /** False: a member can't approve a post whose current text or image they wrote. */
  readonly mayApproveOwn: boolean
  /** An owner or admin, who may skip a step of an approval with a reason. */
  readonly maySkip?: boolean
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

export const isOwn = ({ textBy, imageBy, imageUrl }: Authors, userId: string | null): boolean =>
  userId !== null && (textBy === userId || (imageUrl !== null && imageBy === userId))

type Stepped = { readonly round?: ApprovalRound | null | undefined }

/** Whether the agency, or the policy that the post has a copy of, refuses the person as an author of the post. */
export const refusesOwn = (
  post: Authors & Stepped,
  { userId, mayApproveOwn }: Pick<Acting, 'userId' | 'mayApproveOwn'>,
): boolean => (!mayApproveOwn || post.round?.policy.ownApproval === 'refused') && isOwn(post, userId)

/** Who of a post's authors may approve it. */
export const mayApprove =
  (post: Authors, round: ApprovalRound, mayApproveOwn: boolean) =>
  (userId: string): boolean =>
    !refusesOwn({ ...post, round }, { userId, mayApproveOwn })

/** Of a post as its stream has it, or as a view does. */
type Held = { readonly isHeldByClient?: true | undefined; readonly heldBecause?: HoldReason | null }

/** Scheduling and publishing now are approvals, too; so is the release of a post that the client holds. */
const approves = (ability: Ability, { isHeldByClient, heldBecause }: Held): boolean =>
  ability === 'approve' ||
  ability === 'schedule' ||
  ability === 'publish-now' ||
  (ability === 'release' && (isHeldByClient === true || heldBecause === 'client-asked'))

/** The users who may approve the post's open step now; none also for a post without steps. */
export const approversOf = (
  post: Authors & Stepped,
  { approvers }: Approvals,
  mayApproveOwn: boolean,
): readonly string[] => (post.round ? waitsFor(post.round, approvers, mayApprove(post, post.round, mayApproveOwn)) : [])

/** What the person may do with the post as it is. */
export function abilitiesFor(
  post: Standpoint & Authors & Stepped & Held,
  { rights, userId, mayApproveOwn, maySkip = false }: Acting,
  approvals: Approvals = noApprovals,
): Ability[] {
  const { round, status } = post
  const maySkipStep = (of: ApprovalRound | null | undefined): boolean =>
    maySkip && userId !== null && !!of && mayApprove(post, of, mayApproveOwn)(userId)
  return abilitiesOf(post).filter((ability) => {
    if (!isAllowed(rights, ability, status)) return false
    if (approves(ability, post) && refusesOwn(post, { userId, mayApproveOwn })) return false
    switch (ability) {
      case 'approve':
        return !round || (userId !== null && approversOf(post, approvals, mayApproveOwn).includes(userId))
      case 'skip-step':
        return maySkipStep(round)
      case 'reassign-step':
        return maySkipStep(round) && !!round && openStep(round)?.who.kind !== 'client'
      case 'schedule':
      case 'publish-now':
        return status !== 'draft' || approvals.policy === null
      default:
        return true
    }
  })
}

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
    case 'SkipStep':
      return 'skip-step'
    case 'ReassignStep':
      return 'reassign-step'
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
