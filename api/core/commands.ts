/**
 * The commands of the product, by aggregate. Their implementations, with the inputs of each decision, stand beside the
 * features: see `features/commands.ts`.
 */
import type { AgencyCommand } from '../../domain/agency/commands.ts'
import type { AgencyRefusal } from '../../domain/agency/decider.ts'
import type { Agency } from '../../domain/agency/state.ts'
import type { PeopleFacts } from '../../domain/agency/team-rules.ts'
import type { AuditorLinkCommand } from '../../domain/auditor-link/commands.ts'
import type { AuditorLink, AuditorLinkRefusal } from '../../domain/auditor-link/decider.ts'
import type { ClientCommand } from '../../domain/client/commands.ts'
import type { Client, ClientRefusal } from '../../domain/client/state.ts'
import type { Generation } from '../../domain/core/generation.ts'
import type { Refused } from '../../domain/core/decider.ts'
import type { Commented } from '../../domain/discussion/anchor.ts'
import type { DiscussionCommand } from '../../domain/discussion/commands.ts'
import type { DiscussionRefusal } from '../../domain/discussion/decider.ts'
import type { Discussion } from '../../domain/discussion/state.ts'
import type { GenerationCommand } from '../../domain/generation/commands.ts'
import type { GenerationRefusal } from '../../domain/generation/decider.ts'
import type { PostCommand } from '../../domain/post/commands.ts'
import type { PostRefusal } from '../../domain/post/rules.ts'
import type { Post } from '../../domain/post/state.ts'
import type { ReviewLinkCommand } from '../../domain/review-link/commands.ts'
import type { ReviewLink, ReviewLinkContext, ReviewLinkRefusal } from '../../domain/review-link/decider.ts'
import type { SampleCommand } from '../../domain/sample/commands.ts'
import type { Sample } from '../../domain/sample/decider.ts'
import type { AggregateScope, Loaded } from './aggregates.ts'
import type { CommandContext, CommandHandlerPorts, CommandOutcome, HandlerRefusal } from './command-handler.ts'
import type { Loads } from './load.ts'

export type AnyRefusal =
  | AgencyRefusal
  | AuditorLinkRefusal
  | ClientRefusal
  | DiscussionRefusal
  | GenerationRefusal
  | PostRefusal
  | ReviewLinkRefusal
  | HandlerRefusal

export interface AgencyCommands {
  agency(
    agencyId: string,
    command: AgencyCommand,
    by: CommandContext,
    /** Where the command asks for them; those that depend on the state are sought again after a conflict. */
    facts?: PeopleFacts | ((agency: Agency) => Promise<PeopleFacts>),
  ): Promise<CommandOutcome<Agency, AgencyRefusal>>
  loadAgency(agencyId: string, from?: Loads): Promise<Loaded<Agency>>
  /** For display: see `AggregateLoader.recall`. */
  recallAgency(agencyId: string): Promise<Agency>
  /** As it was a moment ago, mostly without a read: see `RecentAgencies`. */
  recentAgency(agencyId: string): Promise<Agency>
  /** The same without waiting; null where it has to be read. */
  knownAgency(agencyId: string): Agency | null
  /** Another process changed the agency. */
  forgetRecentAgency(agencyId: string): void
  /** @param load reads the agency when the answer isn't cached; by default for display */
  agencyExists(agencyId: string, load?: () => Promise<Agency>): Promise<boolean>
}

export interface ClientCommands {
  client(clientId: string, command: ClientCommand, by: CommandContext): Promise<CommandOutcome<Client, ClientRefusal>>
  loadClient(clientId: string, from?: Loads): Promise<Loaded<Client>>
}

export interface GenerationCommands {
  generation(
    clientId: string,
    command: GenerationCommand,
    by: CommandContext,
  ): Promise<CommandOutcome<Generation | null, GenerationRefusal>>
  loadGeneration(generationId: string, from?: Loads): Promise<Loaded<Generation | null>>
}

export interface PostCommands {
  /** @param scope of the request that loaded the post already */
  post(
    postId: string,
    command: PostCommand,
    by: CommandContext,
    scope?: AggregateScope,
  ): Promise<CommandOutcome<Post, PostRefusal>>
  loadPost(postId: string, from?: Loads): Promise<Loaded<Post>>
  /** Judges a new post without writing it: whether an event would be appended. Its image is not fetched. */
  judge(
    command: Extract<PostCommand, { type: 'WritePost' }>,
    by: CommandContext,
    scope?: AggregateScope,
  ): Promise<{ readonly isNew: boolean } | Refused<PostRefusal>>
  /** Judges an approval without making it: null, or the refusal. No image is fetched, no slot is sought. */
  judgeApproval(
    postId: string,
    by: Pick<CommandContext, 'agencyId' | 'actor'>,
    scope: AggregateScope,
  ): Promise<Refused<PostRefusal> | null>
}

/** The comments on a post; the discussion has the id of the post. */
export interface DiscussionCommands {
  discussion(
    postId: string,
    command: DiscussionCommand,
    by: CommandContext,
    scope?: AggregateScope,
    /** What the author sees of the post, where that isn't the post as it is now. */
    seen?: Commented,
  ): Promise<CommandOutcome<Discussion, DiscussionRefusal>>
  loadDiscussion(postId: string, from?: Loads): Promise<Loaded<Discussion>>
}

export interface AuditorLinkCommands {
  auditorLink(
    linkId: string,
    command: AuditorLinkCommand,
    by: CommandContext,
  ): Promise<CommandOutcome<AuditorLink, AuditorLinkRefusal>>
  loadAuditorLink(linkId: string): Promise<Loaded<AuditorLink>>
}

/** What the caller knows of a link that is issued; of no meaning for the other commands. */
export type ReviewLinkFacts = Pick<ReviewLinkContext, 'contactsExist' | 'postsExist' | 'open' | 'mails'>

export interface ReviewLinkCommands {
  reviewLink(
    linkId: string,
    command: ReviewLinkCommand,
    /** With the link's client. */
    by: CommandContext & { readonly clientId: string },
    facts?: ReviewLinkFacts,
  ): Promise<CommandOutcome<ReviewLink, ReviewLinkRefusal>>
  loadReviewLink(linkId: string, from?: Loads): Promise<Loaded<ReviewLink>>
}

export interface SampleCommands {
  sample(clientId: string, command: SampleCommand, by: CommandContext): Promise<CommandOutcome<Sample, never>>
}

export interface Commands
  extends
    AgencyCommands,
    ClientCommands,
    GenerationCommands,
    PostCommands,
    DiscussionCommands,
    AuditorLinkCommands,
    ReviewLinkCommands,
    SampleCommands {
  readonly ports: CommandHandlerPorts
  /** For the loads of one request: pass it to each of them, and to the command. */
  newScope(): AggregateScope
}
