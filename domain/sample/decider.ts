/** A client's sample figures, in a stream of their own, apart from real figures. */
import type { Decider } from '../core/decider.ts'
import type { Platform } from '../core/values.ts'
import type { SampleCommand } from './commands.ts'
import type { SampleEvent } from './events.ts'

export interface Sample {
  /** Platforms with sample figures; empty without any. */
  readonly platforms: readonly Platform[]
}

export interface SampleContext {
  readonly clientId: string
}

type SampleDecider = Decider<Sample, SampleCommand, SampleEvent, never, SampleContext>

export const sampleDecider: SampleDecider = {
  initial: { platforms: [] },
  decide(sample, command, { clientId }) {
    const present = sample.platforms.length > 0
    if (command.type === 'AddSampleFigures') {
      if (present || command.figures.length === 0) return []
      return [{ type: 'SampleFiguresAdded', data: { clientId, figures: [...command.figures] } }]
    }
    return present ? [{ type: 'SampleFiguresRemoved', data: { clientId, platforms: [...sample.platforms] } }] : []
  },
  evolve(_, event) {
    return event.type === 'SampleFiguresAdded'
      ? { platforms: event.data.figures.map(({ platform }) => platform) }
      : { platforms: [] }
  },
}
