/** The steps of an attempt at which a publisher may die, and the step that a round has chosen. */
import type { ChainedEvent } from '../../../../domain/core/event.ts'

export const steps = [
  'before the claim',
  'after the claim',
  'before prepare',
  'after prepare',
  'before RecordPrepared',
  'after RecordPrepared',
  'before publish',
  'in flight, taken',
  'in flight, not taken',
  'in flight, taken late',
  'before ConfirmPublished',
  'after ConfirmPublished',
  'before the outcome is unknown',
  'after the outcome is unknown',
  'before the look-up',
  'after the look-up',
  'after the attribution',
  'before the verdict',
  'after the verdict',
] as const
export type Step = (typeof steps)[number]

/** Reached only when the outcome of an attempt is unknown. */
export const lookUpSteps: ReadonlySet<Step> = new Set(steps.slice(steps.indexOf('before the outcome is unknown')))
/** Reached only when something is prepared. */
export const mediaSteps: ReadonlySet<Step> = new Set<Step>(['before RecordPrepared', 'after RecordPrepared'])

/** The steps around an append. */
export function stepsAround(appended: readonly ChainedEvent[]): { readonly before: Step; readonly after: Step } | null {
  for (const { name, data } of appended) {
    if (name === 'PostClaimed') return { before: 'before the claim', after: 'after the claim' }
    if (name === 'PublishingPrepared') return { before: 'before RecordPrepared', after: 'after RecordPrepared' }
    if (name === 'PublishingOutcomeUnknown')
      return { before: 'before the outcome is unknown', after: 'after the outcome is unknown' }
    const isVerdict = name === 'PostFoundAbsent' || (name === 'PostPublished' && data['known'] === 'found')
    if (isVerdict) return { before: 'before the verdict', after: 'after the verdict' }
    if (name === 'PostPublished') return { before: 'before ConfirmPublished', after: 'after ConfirmPublished' }
  }
  return null
}

/** Called at every step of every publisher; true: the publisher dies there. */
export interface Watcher {
  strikes(step: Step): boolean
}

/** Acts the first time any publisher reaches a step, and kills none. */
export function onceAt(wanted: Step, act: () => void): Watcher {
  let isDone = false
  return {
    strikes(step) {
      if (step === wanted && !isDone) {
        isDone = true
        act()
      }
      return false
    },
  }
}

/** Kills the publisher that reaches the step for the nth time, whichever one it is, and then no other. */
export class Fate implements Watcher {
  #left: number
  struck = false
  constructor(
    readonly step: Step,
    nth: number,
  ) {
    this.#left = nth
  }

  strikes(step: Step): boolean {
    if (step !== this.step || this.struck) return false
    this.#left -= 1
    this.struck = this.#left <= 0
    return this.struck
  }
}
