/** Who writes a post's text when somebody asks for one. */
import type { Platform } from '../../domain/core/values.ts'

export interface Brief {
  readonly client: {
    readonly name: string
    readonly description: string | null
    readonly industry: string | null
    readonly targetAudience: string | null
    readonly toneOfVoice: string | null
  }
  readonly platform: Platform
  /** `regenerate`: something else than the last posts. */
  readonly topic: string
  readonly tone: string
  /** The client's last texts, newest first: not to be repeated. */
  readonly recent: readonly string[]
}

export interface Draft {
  readonly content: string
  readonly source: 'openai' | 'template'
  readonly model: string | null
  readonly tokens: number | null
}

export interface Writer {
  /** A text within the network's limit. @throws WriterError with a sentence for the person who asked */
  write(brief: Brief, signal: AbortSignal): Promise<Draft>
}

export class WriterError extends Error {
  override readonly name = 'WriterError'
}
