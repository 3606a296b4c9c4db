/** One generated text, in a stream of its own: recorded once, never changed. */
import { contentTooLong, type ContentTooLong } from '../core/content-limits.ts'
import { refuse, type Decider } from '../core/decider.ts'
import type { Generation } from '../core/generation.ts'
import type { Generated } from '../core/provenance.ts'
import type { Standing } from '../core/values.ts'
import type { GenerationCommand } from './commands.ts'
import type { GenerationEvent } from './events.ts'

export interface GenerationContext {
  readonly standing: Standing
  /** Whether the agency has the client that the text is for. */
  readonly onRoster: boolean
}

export type GenerationRefusal =
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'subscription-needed'; readonly standing: Exclude<Standing, 'good'> }
  | ContentTooLong

type GenerationDecider = Decider<
  Generation | null,
  GenerationCommand,
  GenerationEvent,
  GenerationRefusal,
  GenerationContext
>

export const generationDecider: GenerationDecider = {
  initial: null,
  decide(known, { type: _, ...data }, { standing, onRoster }) {
    if (!onRoster) return refuse({ reason: 'client-unknown' })
    // Two planners may write the text of one slot: the first one stays.
    if (known) return []
    if (standing !== 'good') return refuse({ reason: 'subscription-needed', standing })
    const tooLong = contentTooLong(data.platform, data.content)
    return tooLong ? refuse(tooLong) : [{ type: 'ContentGenerated', data }]
  },
  evolve: (_, { data }) => data,
}

/** The provenance of a text about to be saved that began as this generated one. */
export const provenanceOf = (
  { generationId, writer, model, topic, tone, content: generated }: Generation,
  content: string,
): Generated => ({ generationId, writer, model, topic, tone, edited: content.trim() !== generated.trim() })
