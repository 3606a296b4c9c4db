import { contentGenerated } from '../core/generation.ts'
import type { FactOf } from '../core/history.ts'

export const generationEvents = { ContentGenerated: contentGenerated } as const

export type GenerationEvent = FactOf<typeof generationEvents>
