import type { Generation } from '../../core/generation.ts'
import type { GenerationContext } from '../decider.ts'

export const context: GenerationContext = { standing: 'good', onRoster: true }
export const generation: Generation = {
  generationId: '0195a000-0000-7000-8000-000000000005',
  writer: 'template',
  model: null,
  platform: 'facebook',
  topic: 'Spring menu',
  tone: 'friendly',
  content: 'Spring is on the menu.',
  tokens: null,
}
export const generated = { type: 'ContentGenerated', data: generation } as const
