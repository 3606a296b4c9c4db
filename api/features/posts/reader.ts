/** What the person who reads posts may do with each of them, and the approval steps as they see them. */
import { approversIn } from '../../../domain/agency/approvers.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import type { Member } from '../../../domain/agency/team-state.ts'
import {
  hasApproved,
  isSettled,
  noApprovals,
  openStep,
  stepsOf,
  type ApprovalRound,
  type Approver,
} from '../../../domain/core/approval-round.ts'
import type { Actor } from '../../../domain/core/event.ts'
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { PostStatus } from '../../../domain/post/commands.ts'
import { abilitiesFor, approversOf, isOwn, type Authors } from '../../../domain/post/rights.ts'
import type { Ability, Standpoint } from '../../../domain/post/state-table.ts'
import type { ApprovalPoliciesView } from '../../../projections/approval-policies/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { PostStep, PostSteps } from '../../contract/index.ts'
import type { OfAgency } from '../../http/handler.ts'
import { actingIn } from './acting.ts'

type Shown = Standpoint &
  Authors & { readonly status: PostStatus; readonly clientId: string; readonly round: ApprovalRound | null }

export interface PostReader {
  canOf(post: Shown): Promise<Ability[]>
  stepsOf(post: Shown): PostSteps | null
  /** A pending post: what it waits for. */
  waits(post: Shown): { readonly forMe: boolean; readonly forClient: boolean; readonly forNobody: boolean }
}

/** Lazy: only an answer with a draft asks which clients have a policy, and only one with steps who approves them. */
export function postReader(
  views: Pick<Views, 'approvalPolicies'>,
  agencyId: string,
  agency: Pick<Agency, 'team'>,
  actor: Actor,
): PostReader {
  const acting = actingIn(agency, actor, null)
  const { mayApproveOwn } = acting
  let policies: Promise<ApprovalPoliciesView['policies']> | null = null
  const policyOf = async (clientId: string) => {
    const known = await (policies ??= views.approvalPolicies
      .get(agencyId)
      .catch(noneYet)
      .then((found) => found?.policies ?? {}))
    return known[clientId] ?? null
  }
  const people = new Map<string, readonly Approver[]>()
  const approvers = (clientId: string) => {
    const known = people.get(clientId) ?? approversIn(agency, clientId)
    people.set(clientId, known)
    return known
  }
  const approvalsOf = (post: Shown) =>
    post.round ? { policy: null, approvers: approvers(post.clientId) } : noApprovals

  return {
    canOf: async (post) => {
      const policy = post.status === 'draft' ? await policyOf(post.clientId) : null
      return abilitiesFor(post, acting, { ...approvalsOf(post), policy })
    },

    stepsOf: (post) =>
      stepsAs(
        post,
        Object.values(agency.team.members),
        post.round ? approversOf(post, approvalsOf(post), mayApproveOwn) : [],
      ),

    waits(post) {
      const may = post.round
        ? approversOf(post, approvalsOf(post), mayApproveOwn)
        : approvers(post.clientId)
            .map(({ userId }) => userId)
            .filter((userId) => mayApproveOwn || !isOwn(post, userId))
      const forClient = post.round ? openStep(post.round)?.who.kind === 'client' : false
      return {
        forMe: acting.userId !== null && may.includes(acting.userId),
        forClient,
        forNobody: may.length === 0 && !forClient,
      }
    },
  }
}

/** The reader of a request. */
export const readerFor =
  (views: Pick<Views, 'approvalPolicies'>) =>
  async ({ agencyId, loadAgency, by }: Pick<OfAgency, 'agencyId' | 'loadAgency' | 'by'>): Promise<PostReader> =>
    postReader(views, agencyId, await loadAgency(), by.actor)
export type ReaderOf = ReturnType<typeof readerFor>

/**
 * After an upgrade from a version without policies, lists are answered before this view is built. A policy that is set
 * meanwhile is then missing in what a draft's reader is offered; commands are decided by the log.
 */
function noneYet(error: unknown): null {
  if (error instanceof BeingBuilt) return null
  throw error
}

/** A past state offers no actions, and names no people: those of then may have left. */
export const pastReader: PostReader = {
  canOf: () => Promise.resolve([]),
  stepsOf: (post) => stepsAs(post, [], []),
  waits: () => ({ forMe: false, forClient: false, forNobody: false }),
}

function stepsAs(
  { round, status }: Shown,
  members: readonly Pick<Member, 'id' | 'userId'>[],
  waiting: readonly string[],
): PostSteps | null {
  if (!round) return null
  const open = status === 'pending' ? openStep(round) : null
  const idsOf = (isOne: (userId: string) => boolean) =>
    members.filter(({ userId }) => isOne(userId)).map(({ id }) => id)
  return stepsOf(round).map(({ id, name, who, need }) => ({
    id,
    name,
    who,
    need,
    state: stateOf(round, id, open?.id),
    approvedBy: idsOf((userId) => hasApproved(round, id, userId)),
    waitsFor: id === open?.id ? idsOf((userId) => waiting.includes(userId)) : [],
    reminded: id === open?.id ? remindedOf(round) : null,
    escalatedTo: round.escalated?.find(({ stepId }) => stepId === id)?.to ?? null,
    reassigned: round.reassigned?.some(({ stepId }) => stepId === id) ?? false,
  }))
}

const remindedOf = ({ reminders }: ApprovalRound): PostStep['reminded'] =>
  reminders?.lastAt ? { times: reminders.times, lastAt: reminders.lastAt } : null

function stateOf(round: ApprovalRound, stepId: string, openId: string | undefined): PostStep['state'] {
  if (round.skipped.includes(stepId)) return 'skipped'
  if (isSettled(round, stepId)) return 'approved'
  return stepId === openId ? 'open' : 'waiting'
}
