/** Sends every open screen of an agency the changes of its lists. All streams share one subscription to the log. */
import type { Writable } from 'node:stream'
import type { Logger } from 'pino'
import type { ClientScope } from '../../../domain/agency/roles.ts'
import type { Position, StoredEvent } from '../../../domain/core/event.ts'
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import { StoreUnavailable, type Batch, type EventStore } from '../../../domain/event-store/port.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { ChangesMessage } from '../../contract/index.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import { startLoop, type Loop } from '../../core/loop.ts'
import { Problem } from '../../http/problem.ts'
import { changesFor, changesOf, isHeard, isTeamEvent, liveUpdatesFilter, readChanges } from './changes.ts'
import { OpenStreams } from './open-streams.ts'
import { PositionWaiters } from './position-waiters.ts'
import type { PositionTokens } from './positions.ts'
import { RecentChanges } from './recent.ts'
import { RecentTokens } from './recent-tokens.ts'
import { LiveUpdatesStream, type Listener } from './stream.ts'

export interface LiveUpdatesPorts {
  readonly events: EventStore
  readonly sessions: Pick<Sessions, 'goesOn' | 'onEnded'>
  readonly members: {
    /** An event changed the agency's people. */
    changed(agencyId: string): void
    /** Null: the user is no longer a member, or lacks the second factor that the agency requires by now. */
    scopeOf(agencyId: string, userId: string): Promise<ClientScope | null>
  }
  readonly positions: PositionTokens
  readonly log: Logger
  /** Waits until the views have the events. */
  readonly visible: (appendedEvents: readonly AppendedEvent[], timeoutMs: number) => Promise<boolean>
}

const defaultBeatMs = 20_000
const viewsWithinMs = 2_000
const pauseMs = 1_000
const beginning = '0'

/** A position, or `unknown` for a token that can't be decrypted: after that, anything may have changed. */
export type Since = Position | 'unknown'

export class LiveUpdates {
  readonly #streams = new OpenStreams()
  readonly #waiters = new PositionWaiters()
  readonly #recent = new RecentChanges()
  readonly #tokens = new RecentTokens((agencyId) => this.ports.positions.encrypt(agencyId, this.#reached))
  readonly #end = new AbortController()
  readonly #readModels: Promise<void>
  readonly #beating: Loop
  #reached: Position
  /** False until the event store reported its head: it may be down when this process starts. */
  #isPlaced: boolean

  private constructor(
    private readonly ports: LiveUpdatesPorts,
    head: Position | null | 'away',
    beatMs: number,
  ) {
    this.#isPlaced = head !== 'away'
    this.#reached = head === 'away' ? beginning : (head ?? beginning)
    if (this.#isPlaced) this.#recent.begin(this.#reached)
    this.#readModels = this.#follow()
    // A loop: while the records are slow, checks of all sessions would otherwise add up.
    this.#beating = startLoop({ everyMs: beatMs, round: () => this.#beat(), onError: (error) => this.#failed(error) })
    ports.sessions.onEnded = (id) => [...this.#streams.ofSession(id)].forEach((stream) => stream.end())
  }

  /** Called after the views have caught up with the log. */
  static async open(ports: LiveUpdatesPorts, { beatMs = defaultBeatMs } = {}): Promise<LiveUpdates> {
    const head = await ports.events.head().catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return 'away' as const
      throw error
    })
    return new LiveUpdates(ports, head, beatMs)
  }

  /** The position up to which the views have all changes. */
  get reached(): Position {
    return this.#reached
  }

  /** A position up to which the views have all changes of the agency, encrypted for it. */
  reachedFor(agencyId: string): string {
    return this.#tokens.of(agencyId)
  }

  /** The oldest position among an agency's tokens. */
  sinceOf(agencyId: string, tokens: readonly string[]): Since {
    const opened = tokens.map((token) => this.ports.positions.decrypt(agencyId, token))
    const known = opened.filter((position) => position !== null && isOfSameKind(position, this.#reached))
    return (known.length === opened.length && known.toSorted()[0]) || 'unknown'
  }

  /** The agency's changes from a position up to now, as far as they are in the scope. */
  async since(agencyId: string, since: Since, scope: ClientScope): Promise<ChangesMessage> {
    return changesFor(scope, (await this.#catchUp(agencyId, since)).past)
  }

  /** Lets a command's answer wait, so that lists read after it include its effect. False on timeout. */
  async waitFor(appendedEvents: readonly AppendedEvent[], timeoutMs: number): Promise<boolean> {
    const position = appendedEvents.findLast(({ type }) => isHeard(type))?.position
    return position === undefined || this.#hears(position, timeoutMs)
  }

  async #hears(position: Position, timeoutMs: number): Promise<boolean> {
    if (position <= this.#reached) return true
    if (this.#end.signal.aborted) return false
    return this.#waiters.waitFor(position, timeoutMs)
  }

  /** @throws Problem 429 when there are too many streams, 503 while the server stops */
  admit(by: Pick<Listener, 'agencyId' | 'sessionId'>): void {
    if (this.#end.signal.aborted)
      throw new Problem(503, 'stopping', 'The server is about to stop. Please try again in a moment.', {
        'Retry-After': '5',
      })
    this.#streams.admit(by)
  }

  /**
   * Writes changes to the stream until it or the session ends, without gaps after `since`. @param since null: from now
   * on
   */
  open(listener: Listener, since: Since | null, to: Writable): void {
    const encrypt = (position: Position) => this.ports.positions.encrypt(listener.agencyId, position)
    const stream: LiveUpdatesStream = new LiveUpdatesStream(listener, to, encrypt, () => this.#streams.remove(stream))
    this.#streams.add(stream)
    this.#catchUp(listener.agencyId, since).then(
      ({ past, until }) => stream.begin(past, until),
      (error: unknown) => {
        this.#failed(error)
        stream.end()
      },
    )
  }

  async close(): Promise<void> {
    this.#end.abort()
    void this.#beating.stop()
    for (const stream of this.#streams.all) stream.end()
    this.#waiters.end()
    await this.#readModels
  }

  async #catchUp(
    agencyId: string,
    since: Since | null,
  ): Promise<{ readonly past: ChangesMessage; readonly until: Position }> {
    // The token may come from another process that is ahead of this one.
    if (since !== null && since !== 'unknown') await this.#hears(since, viewsWithinMs)
    const until = this.#reached
    return { until, past: await this.#past(agencyId, since ?? until, until) }
  }

  async #past(agencyId: string, since: Since, until: Position): Promise<ChangesMessage> {
    // A position beyond the log's end belongs to another log, such as one restored from a backup.
    if (since === 'unknown' || since > until) return everything
    const recent = this.#recent.since(agencyId, since)
    if (recent === 'too-many') return everything
    // Changes from before this process started are read from the log.
    const changes =
      recent === 'unknown'
        ? await readChanges(this.ports.events, agencyId, since === beginning ? null : since, until)
        : recent.filter(({ position }) => position <= until)
    return changes === null ? everything : { missed: false, changes }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      try {
        if (!this.#isPlaced) this.#reached = (await this.ports.events.head()) ?? beginning
        if (!this.#isPlaced) this.#recent.begin(this.#reached)
        this.#isPlaced = true
        const after = this.#reached === beginning ? null : this.#reached
        for await (const batch of this.ports.events.subscribe(after, liveUpdatesFilter, signal)) await this.#take(batch)
      } catch (error) {
        this.#failed(error)
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** Publishes changes only after the views have them, so that a client that refreshes at once finds them. */
  async #take(batch: Batch): Promise<void> {
    const teams = new Set(batch.filter(isTeamEvent).map(({ metadata }) => metadata.agencyId))
    for (const agencyId of teams) this.ports.members.changed(agencyId)
    await this.ports.visible(lastOfEach(batch), viewsWithinMs)
    for (const agencyId of teams)
      await Promise.all([...this.#streams.ofAgency(agencyId)].map((each) => this.#judgeOrEnd(each)))
    const position = batch.at(-1)?.position
    if (position === undefined) return
    this.#reached = position
    const agencies = new Map(
      [...new Set(batch.map(({ metadata }) => metadata.agencyId))].map((agencyId) => [
        agencyId,
        changesOf(batch, agencyId),
      ]),
    )
    for (const [agencyId, changes] of agencies) {
      this.#recent.add(agencyId, changes)
      this.#tokens.forget(agencyId)
    }
    this.#waiters.reached(position)
    for (const [agencyId, changes] of agencies) {
      const message = { missed: false, changes }
      for (const stream of this.#streams.ofAgency(agencyId)) stream.tell(message, position)
    }
  }

  async #beat(): Promise<void> {
    for (const stream of this.#streams.all) {
      const goesOn = await this.ports.sessions.goesOn(stream.sessionId).catch(() => true)
      if (!goesOn) {
        stream.end()
        continue
      }
      stream.beat(this.#reached)
      await this.#judge(stream).catch((error: unknown) => this.#failed(error))
    }
  }

  /** Ends the stream of a person who may no longer listen; one with other clients than before may have missed any. */
  async #judge(stream: LiveUpdatesStream): Promise<void> {
    const scope = await this.ports.members.scopeOf(stream.agencyId, stream.userId)
    if (scope === null) return stream.end()
    if (String(scope) === String(stream.scope)) return
    stream.scope = scope
    stream.tell(everything, this.#reached)
  }

  /** After a change of the people. The browser opens a stream again, and no other agency waits for this one. */
  async #judgeOrEnd(stream: LiveUpdatesStream): Promise<void> {
    await this.#judge(stream).catch((error: unknown) => {
      this.#failed(error)
      stream.end()
    })
  }

  #failed(error: unknown): void {
    if (!this.#end.signal.aborted) this.ports.log.warn({ err: error }, 'Could not read live updates; retrying')
  }
}

/** Positions of different stores have different lengths and can't be compared. */
const isOfSameKind = (a: Position, b: Position) => a === beginning || b === beginning || a.length === b.length

const everything: ChangesMessage = { missed: true, changes: [] }

/** Events of one type reach a view in order, so waiting for the last one of each type is enough. */
function lastOfEach(batch: Batch): AppendedEvent[] {
  const last = new Map<string, StoredEvent>()
  for (const event of batch) last.set(catalogue.typeOf(event.name), event)
  return [...last].map(([type, { stream, revision, position }]) => ({
    type,
    stream,
    revision,
    position,
  }))
}
