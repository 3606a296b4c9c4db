import type { Generation } from '../core/generation.ts'

export type GenerationCommand = { readonly type: 'RecordGeneration' } & Readonly<Generation>
