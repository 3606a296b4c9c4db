/** given / when / then for a decider. Independent of the test runner: compare `then` with what you expect. */
import { isRefused, type Decider, type Refusal, type Refused } from '../core/decider.ts'
import type { Fact } from '../core/event.ts'

/**
 * `given(...past).when(command, input)` folds the past, decides, and returns the outcome:
 * the new events or the refusal, and the result of repeating the command at the same clock.
 */
export function specification<State, Command, Event extends Fact, R extends Refusal, Given>(
  decider: Decider<State, Command, Event, R, Given>,
) {
  const fold = (events: readonly Event[], from = decider.initial) => events.reduce(decider.evolve, from)
  return {
    fold,
    given: (...past: readonly Event[]) => ({
      when(command: Command, input: Given) {
        const state = fold(past)
        const decision = decider.decide(state, command, input)
        const events: readonly Event[] = isRefused(decision) ? [] : decision
        const refused = isRefused(decision) ? decision.refused : undefined
        return {
          events,
          refused,
          reason: refused?.reason,
          state: fold(events, state),
          again: (): readonly Event[] | Refused<R> => decider.decide(fold(events, state), command, input),
        }
      },
    }),
  }
}
