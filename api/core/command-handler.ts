/** load -> decide -> append, with retries on a conflict. The only code that appends domain events. */
import { v7 as uuidv7 } from 'uuid'
import { isRefused, type Decider, type Refusal, type Refused } from '../../domain/core/decider.ts'
import type { Actor, Fact, Instant, Position } from '../../domain/core/event.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import { chainHashes, type UnchainedMetadata } from '../../domain/event-store/chain.ts'
import { OutcomeUnknown, WrongExpectedRevision, type EventStore } from '../../domain/event-store/port.ts'
import { pause } from '../../projections/core/pause.ts'
import { backoffMs } from './backoff.ts'
import type { LogBudget, LogBudgetUsedUp } from './log-budget.ts'
import type { Clock } from './clock.ts'
import { AggregateLoader, AggregateScope, type StreamHead } from './aggregates.ts'

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
/** What any command may be refused for, whatever its decider says. */
export type HandlerRefusal = StaleRevision | LogBudgetUsedUp
export type CommandOutcome<State, R extends Refusal> = CommandResult<State> | Refused<R | HandlerRefusal>

export interface CommandHandlerPorts {
  readonly events: EventStore
  readonly clock: Clock
  /** The limit on an agency's log bytes per day; without it there is none. */
  readonly logBudget?: LogBudget
}

/** One command on one aggregate. */
export interface CommandCall<State, Command, Event extends Fact, R extends Refusal, Context> {
  readonly stream: string
  readonly decider: Decider<State, Command, Event, R, Context>
  readonly command: Command
  readonly by: CommandContext
  /** The client that the events are about, for their metadata; null when they are about the agency. */
  readonly clientId: string | null
  /** Of the request that loaded some of the streams already. */
  readonly scope: AggregateScope
  /** What the decision needs beside the state. Asked again after a conflict. */
  readonly contextOf: (state: State, now: Instant) => Context | Promise<Context>
}

const maxTries = 20
/** The waits between conflicts, drawn at random below these bounds: rivals would meet again after equal waits. */
const firstConflictMs = 4
const longestConflictMs = 250

export class CommandHandler {
  readonly streams: AggregateLoader
  constructor(private readonly ports: CommandHandlerPorts) {
    this.streams = new AggregateLoader(ports.events)
  }

  /**
   * @returns the state after the command, or why it was refused
   * @throws OutcomeUnknown, StoreUnavailable; WrongExpectedRevision after 20 conflicts in a row
   */
  async handle<State, Command extends { readonly type: string }, Event extends Fact, R extends Refusal, Context>({
    stream,
    decider,
    command,
    by,
    clientId,
    scope,
    contextOf,
  }: CommandCall<State, Command, Event, R, Context>): Promise<CommandOutcome<State, R>> {
    const { events, clock, logBudget } = this.ports
    for (let attempt = 1; ; attempt++) {
      const { state, head } = await scope.load(stream, decider)
      if (by.ifRevision !== undefined && by.ifRevision !== head.revision)
        return { refused: { reason: 'stale-revision' } }
      const now = clock.now()
      const decision = decider.decide(state, command, await contextOf(state, now))
      if (isRefused(decision)) return decision
      if (decision.length === 0) return { state, appended: 0, appendedEvents: lastOf(stream, head) }
      // A clock that was set back must not make a stream's time run backwards.
      const at = head.at !== null && head.at > now ? head.at : now
      const facts = decision.map((fact) => ({ ...catalogue.encode(fact), metadata: metadata(by, at, clientId) }))
      const chained = chainHashes(stream, head, facts)
      const usedUp = await logBudget?.take(by.actor, by.agencyId, command, chained)
      if (usedUp) return { refused: usedUp }
      try {
        const position = await events.append(stream, head.revision < 0 ? 'no-stream' : head.revision, chained)
        // With metadata, as they are read: a fold may look at who acted.
        const appended = decision.map((fact, index) => ({ ...fact, metadata: chained[index]?.metadata }))
        const after = appended.reduce(decider.evolve, state)
        const revision = head.revision + decision.length
        const type = decision.at(-1)?.type ?? head.type
        const hash = chained.at(-1)?.metadata.hash ?? head.hash
        const owner = { agencyId: by.agencyId, clientId }
        scope.keep(stream, { state: after, head: { revision, hash, at, position, type, ...owner } })
        const appendedEvents = decision.map((fact, index) => ({
          type: fact.type,
          stream,
          revision: head.revision + 1 + index,
          position,
        }))
        return { state: after, appended: decision.length, appendedEvents }
      } catch (error) {
        // With an unknown outcome the events may be stored, so their bytes stay counted.
        if (!(error instanceof OutcomeUnknown)) await logBudget?.giveBack(by.actor, by.agencyId, chained)
        if (!(error instanceof WrongExpectedRevision) || attempt >= maxTries) throw error
        scope.forget()
        await pause(Math.random() * backoffMs(attempt, firstConflictMs, longestConflictMs))
      }
    }
  }
}

const metadata = (by: CommandContext, at: Instant, clientId: string | null): UnchainedMetadata => ({
  eventId: uuidv7(),
  at,
  actor: by.actor,
  correlationId: by.correlationId,
  causationId: by.causationId ?? by.correlationId,
  schemaVersion: 1,
  agencyId: by.agencyId,
  ...(clientId === null ? {} : { clientId }),
})

/** A command that appended nothing still waits for the event that caused its effect. */
const lastOf = (stream: string, { type, revision, position }: StreamHead): AppendedEvent[] =>
  type === null || position === null ? [] : [{ type, stream, revision, position }]
