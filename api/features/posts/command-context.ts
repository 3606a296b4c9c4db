/** What the decision on a post needs beside the post: client, account, image, quota and free slot. */
import { standingOf, type Agency } from '../../../domain/agency/state.ts'
import { clientDecider } from '../../../domain/client/decider.ts'
import type { Client, SocialAccount } from '../../../domain/client/state.ts'
import type { Actor, Instant } from '../../../domain/core/event.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { PostContext } from '../../../domain/post/rules.ts'
import type { Post } from '../../../domain/post/state.ts'
import { actingIn, approvalsIn, isAssignable } from './acting.ts'
import { loadAgency, loadClient, type Loads } from '../../core/load.ts'

export interface PostContextPorts {
  /** The time of a post that has none. */
  readonly freeSlot: (agency: Agency, client: Client, accountId: string, now: Instant) => Promise<Instant>
  /** Stores the image behind an address; without it, a post keeps the address alone. */
  readonly keepImage?: (imageUrl: string, agencyId: string) => Promise<NonNullable<PostContext['image']>>
  /** The network's remaining quota for an account, as far as it is known without a request. */
  readonly quota?: (accountId: string, account: SocialAccount, now: Instant) => Promise<PostContext['quota']>
}

/** Whom a post belongs to. */
interface Ownership {
  readonly agencyId: string
  /** Null for a post that doesn't exist. */
  readonly clientId: string | null
  readonly accountId: string
  readonly actor: Actor
}

async function load({ agencyId, clientId }: Ownership, from: Loads) {
  const [agency, client] = await Promise.all([
    loadAgency(from, agencyId),
    clientId === null ? { state: clientDecider.initial } : loadClient(from, clientId),
  ])
  return { agency: agency.state, client: client.state }
}

const inputsOf = (agency: Agency, client: Client, { clientId, accountId, actor }: Ownership, now: Instant) => ({
  now,
  acting: actingIn(agency, actor, clientId),
  approvals: approvalsIn(agency, clientId, client.approvalPolicy),
  account: client.accounts[accountId] ?? null,
  clientOnRoster: clientId !== null && clientId in agency.clients,
  standing: standingOf(agency, now),
})

/** For a judgement without effects: no image is fetched, no slot is sought. */
export async function contextFromStreams(of: Ownership, from: Loads, now: Instant): Promise<PostContext> {
  const { agency, client } = await load(of, from)
  return { ...inputsOf(agency, client, of, now), isAssignable: false, image: null, quota: null, freeSlot: now }
}

/** Fetches the image, the quota and the free slot only for the commands that need them. */
export async function contextOfCommand(
  ports: PostContextPorts,
  command: PostCommand,
  post: Post,
  of: Ownership,
  from: Loads,
  now: Instant,
): Promise<PostContext> {
  const { agency, client } = await load(of, from)
  const inputs = inputsOf(agency, client, of, now)
  const first = command.type === 'WritePost' && !post.exists ? command.as : null
  const needsSlot =
    command.type === 'ApprovePost' ||
    command.type === 'SchedulePost' ||
    (command.type === 'GiveVerdict' && command.verdict === 'approve') ||
    first === 'scheduled'
  const needsImage =
    needsSlot ||
    command.type === 'SubmitPost' ||
    command.type === 'TakeOverSuggestion' ||
    command.type === 'PublishPostNow' ||
    first === 'pending'
  const imageUrl = needsImage ? unstoredImage(command, post) : null
  return {
    ...inputs,
    isAssignable:
      command.type === 'AssignPost' && of.clientId !== null && isAssignable(agency, command.memberId, of.clientId),
    image: imageUrl === null ? null : ((await ports.keepImage?.(imageUrl, of.agencyId)) ?? null),
    quota:
      needsImage && inputs.account?.isConnected
        ? ((await ports.quota?.(of.accountId, inputs.account, now)) ?? null)
        : null,
    freeSlot: needsSlot ? await ports.freeSlot(agency, client, of.accountId, now) : now,
  }
}

/** The address of an image that isn't stored yet, of a post that can still change; else null. */
function unstoredImage(command: PostCommand, { status, imageUrl, image }: Post): string | null {
  if (image !== null || (status !== 'draft' && status !== 'pending')) return null
  return command.type === 'WritePost' ? command.imageUrl : imageUrl
}
