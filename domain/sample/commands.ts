/** Sample figures for a client, so that an empty Analytics screen shows what it will look like. */
import type { Platform } from '../core/values.ts'

export interface SampleFigures {
  readonly platform: Platform
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares: number
  readonly engagement: number
}

export type SampleCommand =
  | { readonly type: 'AddSampleFigures'; readonly figures: readonly SampleFigures[] }
  | { readonly type: 'RemoveSampleFigures' }
