/** load -> decide -> append, with retries on a conflict. The only code that appends domain events. */
import { v7 as uuidv7 } from 'uuid'
import type { AgencyCommand } from '../../domain/agency/commands.ts'
import { agencyDecider, type AgencyRefusal } from '../../domain/agency/decider.ts'
import { standingOf, type Agency } from '../../domain/agency/state.ts'
import type { AuditorLinkCommand } from '../../domain/auditor-link/commands.ts'
import { auditorLinkDecider, type AuditorLink, type AuditorLinkRefusal } from '../../domain/auditor-link/decider.ts'
import type { ClientCommand } from '../../domain/client/commands.ts'
import { clientDecider } from '../../domain/client/decider.ts'
import type { Client, ClientRefusal, SocialAccount } from '../../domain/client/state.ts'
import { isRefused, type Decider, type Refusal, type Refused } from '../../domain/core/decider.ts'
import type { Actor, Fact, Instant, Position } from '../../domain/core/event.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import { chainHashes, type UnchainedMetadata } from '../../domain/event-store/chain.ts'
import { OutcomeUnknown, WrongExpectedRevision, type EventStore } from '../../domain/event-store/port.ts'
import type { PostCommand } from '../../domain/post/commands.ts'
import { postDecider } from '../../domain/post/decider.ts'
import type { PostContext, PostRefusal } from '../../domain/post/rules.ts'
import type { Post } from '../../domain/post/state.ts'
import type { SampleCommand } from '../../domain/sample/commands.ts'
import { sampleDecider, type Sample } from '../../domain/sample/decider.ts'
import type { LogBudget, LogBudgetUsedUp } from './log-budget.ts'
import type { Clock } from './clock.ts'
import { AggregateLoader, AggregateScope, type Loaded, type StreamHead } from './aggregates.ts'

/** The command context: the actor, the agency and the cause. */
export interface CommandContext {
  readonly actor: Actor
  readonly agencyId: string
  readonly correlationId: string
  /** The request or event that caused it; the correlation id when absent. */
  readonly causationId?: string
  /** The expected revision (`If-Match`); another one is refused as `stale-revision`. */
  readonly ifRevision?: number
}

/** An event that a view must have before the answer is sent. */
export interface AppendedEvent {
  readonly type: string
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

export interface CommandResult<State> {
  readonly state: State
  /** The number of appended events; 0 when the effect held already. */
  readonly appended: number
  readonly appendedEvents: readonly AppendedEvent[]
}

export type StaleRevision = { readonly reason: 'stale-revision' }
export type CommandOutcome<State, R extends Refusal> =
  CommandResult<State> | Refused<R | StaleRevision | LogBudgetUsedUp>

export type AnyRefusal =
  AgencyRefusal | AuditorLinkRefusal | ClientRefusal | PostRefusal | StaleRevision | LogBudgetUsedUp

export interface CommandHandlerPorts {
  readonly events: EventStore
  readonly clock: Clock
  /** The time of a post that has none. */
  readonly freeSlot: (agency: Agency, client: Client, accountId: string, now: Instant) => Promise<Instant>
  /** Stores the image behind an address; without it, a post keeps the address alone. */
  readonly keepImage?: (imageUrl: string, agencyId: string) => Promise<NonNullable<PostContext['image']>>
  /** The agency from its view, for use while the event store is down; null without a view. */
  readonly agencyAsShown?: (agencyId: string) => Promise<Agency | null>
  /** The limit on an agency's log bytes per day; without it there is none. */
  readonly logBudget?: LogBudget
  /** The network's remaining quota for an account, as far as it is known without a request. */
  readonly quota?: (accountId: string, account: SocialAccount, now: Instant) => Promise<PostContext['quota']>
}

/** A loader that reads each time, or a request's scope that reads once. */
type Loads = Pick<AggregateLoader, 'load'>

const maxTries = 20
const agenciesInMemory = 100_000

export class CommandHandler {
  readonly streams: AggregateLoader
  readonly #opened = new Set<string>()
  constructor(readonly ports: CommandHandlerPorts) {
    this.streams = new AggregateLoader(ports.events)
  }

  /** For the loads of one request: pass it to each of them, and to the command. */
  newScope = (): AggregateScope => new AggregateScope(this.streams)

  loadAgency = (agencyId: string, from: Loads = this.streams): Promise<Loaded<Agency>> =>
    from.load(`agency-${agencyId}`, agencyDecider)
  loadClient = (clientId: string, from: Loads = this.streams): Promise<Loaded<Client>> =>
    from.load(`client-${clientId}`, clientDecider)
  loadPost = (postId: string, from: Loads = this.streams): Promise<Loaded<Post>> =>
    from.load(`post-${postId}`, postDecider)

  loadAuditorLink = (linkId: string): Promise<Loaded<AuditorLink>> =>
    this.streams.load(`auditorlink-${linkId}`, auditorLinkDecider)

  /** For display: see `AggregateLoader.recall`. */
  recallAgency = (agencyId: string): Promise<Agency> =>
    this.streams.recall(
      `agency-${agencyId}`,
      agencyDecider,
      async () => (await this.ports.agencyAsShown?.(agencyId)) ?? null,
    )

  /** An agency is never closed, so a positive answer is cached. */
  async agencyExists(
    agencyId: string,
    load: () => Promise<Agency> = () => this.recallAgency(agencyId),
  ): Promise<boolean> {
    if (this.#opened.has(agencyId)) return true
    if ((await load()).ownerId === null) return false
    if (this.#opened.size >= agenciesInMemory) this.#opened.clear()
    this.#opened.add(agencyId)
    return true
  }

  agency(agencyId: string, command: AgencyCommand, by: CommandContext): Promise<CommandOutcome<Agency, AgencyRefusal>> {
    return this.#handle(`agency-${agencyId}`, agencyDecider, command, by, null, this.newScope(), async (_, now) => ({
      now,
    }))
  }

  client(clientId: string, command: ClientCommand, by: CommandContext): Promise<CommandOutcome<Client, ClientRefusal>> {
    const scope = this.newScope()
    return this.#handle(`client-${clientId}`, clientDecider, command, by, clientId, scope, async (_, now) => {
      const { state: agency } = await this.loadAgency(by.agencyId, scope)
      return { now, standing: standingOf(agency, now), onRoster: clientId in agency.clients }
    })
  }

  auditorLink(
    linkId: string,
    command: AuditorLinkCommand,
    by: CommandContext,
  ): Promise<CommandOutcome<AuditorLink, AuditorLinkRefusal>> {
    const clientId =
      command.type === 'IssueAuditorLink' && command.scope.kind === 'client' ? command.scope.clientId : null
    const scope = this.newScope()
    return this.#handle(`auditorlink-${linkId}`, auditorLinkDecider, command, by, null, scope, async (_, now) => {
      const { state: agency } = await this.loadAgency(by.agencyId, scope)
      return { now, scopeExists: clientId === null || clientId in agency.clients }
    })
  }

  sample(clientId: string, command: SampleCommand, by: CommandContext): Promise<CommandOutcome<Sample, never>> {
    const scope = this.newScope()
    return this.#handle(`sample-${clientId}`, sampleDecider, command, by, clientId, scope, async () => ({ clientId }))
  }

  /**
   * `clientId` names the post's client for its first event; later ones take it from the post.
   * @param scope of the request that loaded the post already
   */
  async post(
    postId: string,
    command: PostCommand,
    by: CommandContext,
    scope = this.newScope(),
  ): Promise<CommandOutcome<Post, PostRefusal>> {
    const [post] = await Promise.all([this.loadPost(postId, scope), this.loadAgency(by.agencyId, scope)])
    const clientId = command.type === 'WritePost' ? command.clientId : post.state.clientId || null
    const give = async (post: Post, now: Instant): Promise<PostContext> => {
      const accountId = command.type === 'WritePost' ? command.accountId : post.accountId
      const { agency, client, account, ...around } = await this.#around(clientId, accountId, by, now, scope)
      const needsSlot = command.type === 'ApprovePost' || command.type === 'SchedulePost'
      const setsOut = needsSlot || command.type === 'SubmitPost' || (command.type === 'WritePost' && command.submit)
      return {
        ...around,
        account,
        image: setsOut
          ? await this.#imageFor(
              command.type === 'WritePost' ? { ...post, imageUrl: command.imageUrl } : post,
              by.agencyId,
            )
          : null,
        quota: setsOut && account?.isConnected ? ((await this.ports.quota?.(accountId, account, now)) ?? null) : null,
        freeSlot: needsSlot ? await this.ports.freeSlot(agency, client, accountId, now) : now,
      }
    }
    return this.#handle(`post-${postId}`, postDecider, command, by, clientId, scope, give)
  }

  /** Judges a new post without writing it: whether an event would be appended. Its image is not fetched. */
  async judge(
    command: Extract<PostCommand, { type: 'WritePost' }>,
    by: CommandContext,
    scope = this.newScope(),
  ): Promise<{ readonly isNew: boolean } | Refused<PostRefusal>> {
    const now = this.ports.clock.now()
    const [{ agency: _, client: __, ...around }, { state }] = await Promise.all([
      this.#around(command.clientId, command.accountId, by, now, scope),
      this.loadPost(command.postId, scope),
    ])
    const decision = postDecider.decide(state, command, { ...around, image: null, quota: null, freeSlot: now })
    return isRefused(decision) ? decision : { isNew: decision.length > 0 }
  }

  async #around(clientId: string | null, accountId: string, by: CommandContext, now: Instant, scope: AggregateScope) {
    const [{ state: agency }, { state: client }] = await Promise.all([
      this.loadAgency(by.agencyId, scope),
      clientId === null ? { state: clientDecider.initial } : this.loadClient(clientId, scope),
    ])
    const clientOnRoster = clientId !== null && clientId in agency.clients
    return {
      now,
      agency,
      client,
      account: client.accounts[accountId] ?? null,
      clientOnRoster,
      standing: standingOf(agency, now),
    }
  }

  async #imageFor({ status, imageUrl, image }: Post, agencyId: string): Promise<PostContext['image']> {
    const isNews = imageUrl !== null && image === null && (status === 'draft' || status === 'pending')
    return isNews ? ((await this.ports.keepImage?.(imageUrl, agencyId)) ?? null) : null
  }

  async #handle<State, Command extends { readonly type: string }, Event extends Fact, R extends Refusal, Context>(
    stream: string,
    decider: Decider<State, Command, Event, R, Context>,
    command: Command,
    by: CommandContext,
    clientId: string | null,
    scope: AggregateScope,
    give: (state: State, now: Instant) => Promise<Context>,
  ): Promise<CommandOutcome<State, R>> {
    for (let attempt = 1; ; attempt++) {
      const { state, head } = await scope.load(stream, decider)
      if (by.ifRevision !== undefined && by.ifRevision !== head.revision)
        return { refused: { reason: 'stale-revision' } }
      const now = this.ports.clock.now()
      const decision = decider.decide(state, command, await give(state, now))
      if (isRefused(decision)) return decision
      if (decision.length === 0) return { state, appended: 0, appendedEvents: landedAlready(stream, head) }
      // A clock that was set back must not make a stream's time run backwards.
      const at = head.at !== null && head.at > now ? head.at : now
      const sealed = chainHashes(
        stream,
        head,
        decision.map((fact) => ({ ...catalogue.encode(fact), metadata: metadata(by, at, clientId) })),
      )
      const usedUp = await this.ports.logBudget?.take(by.actor, by.agencyId, command, sealed)
      if (usedUp) return { refused: usedUp }
      try {
        const expected = head.revision < 0 ? 'no-stream' : head.revision
        const position = await this.ports.events.append(stream, expected, sealed)
        const appendedEvents = decision.map(({ type }, index) => ({
          type,
          stream,
          revision: head.revision + 1 + index,
          position,
        }))
        const after = decision.reduce(decider.evolve, state)
        const last = decision.at(-1)?.type ?? head.type
        const hash = sealed.at(-1)?.metadata.hash ?? head.hash
        scope.keep(stream, {
          state: after,
          head: { revision: head.revision + decision.length, hash, at, position, type: last },
        })
        return { state: after, appended: decision.length, appendedEvents }
      } catch (error) {
        // With an unknown outcome the events may be stored, so their bytes stay counted.
        if (!(error instanceof OutcomeUnknown)) await this.ports.logBudget?.giveBack(by.actor, by.agencyId, sealed)
        if (!(error instanceof WrongExpectedRevision) || attempt >= maxTries) throw error
        scope.forget()
      }
    }
  }
}

function metadata(
  { actor, agencyId, correlationId, causationId }: CommandContext,
  at: Instant,
  clientId: string | null,
): UnchainedMetadata {
  return {
    eventId: uuidv7(),
    at,
    actor,
    correlationId,
    causationId: causationId ?? correlationId,
    schemaVersion: 1,
    agencyId,
    ...(clientId === null ? {} : { clientId }),
  }
}

/** A command that appended nothing still waits for the event that caused its effect. */
const landedAlready = (stream: string, { type, revision, position }: StreamHead): AppendedEvent[] =>
  type === null || position === null ? [] : [{ type, stream, revision, position }]
