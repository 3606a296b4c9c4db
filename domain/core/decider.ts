import type { Fact } from './event.ts'

/** An expected refusal: a value, never an exception. `reason` is kebab-case; the API adds the sentence. */
export interface Refusal {
  readonly reason: string
}

export interface Refused<R extends Refusal> {
  readonly refused: R
}

/**
 * The rules of one aggregate, pure.
 * `decide` returns a command's events (none: its effect already holds) or a refusal.
 * `context` is the command context: the time, and facts from other streams.
 */
export interface Decider<State, Command, Event extends Fact, R extends Refusal, Context> {
  readonly initial: State
  readonly decide: (state: State, command: Command, context: Context) => readonly Event[] | Refused<R>
  readonly evolve: (state: State, event: Event) => State
}

export const refuse = <R extends Refusal>(refused: R): Refused<R> => ({ refused })

export const isRefused = <E, R extends Refusal>(decision: readonly E[] | Refused<R>): decision is Refused<R> =>
  'refused' in decision
