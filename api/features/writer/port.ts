/** The interface to a writer of posts' texts. */
import type { Rewrite } from '../../contract/index.ts'
import type { Platform } from '../../../domain/core/values.ts'

export interface Brief {
  readonly client: {
    readonly name: string
    readonly description: string | null
    readonly industry: string | null
    readonly targetAudience: string | null
    readonly toneOfVoice: string | null
  }
  readonly platform: Platform
  /** `regenerate`: something other than the last posts. */
  readonly topic: string
  readonly tone: string
  /** The client's last texts, newest first, which the new one must not repeat. */
  readonly recent: readonly string[]
  /** Asks for another version of this text instead of a new one. */
  readonly rewrite?: { readonly text: string; readonly how: Rewrite }
  /** The number of the variant, from 0; variants must differ. */
  readonly variant?: number
}

export interface Draft {
  readonly content: string
  readonly source: 'openai' | 'template'
  readonly model: string | null
  readonly tokens: number | null
}

/** Receives a text while it is written. */
export interface Listener {
  part(text: string): void
  /** Discards the text so far: it is written once more. */
  again(): void
}

export interface Writer {
  readonly source: Draft['source']
  readonly model: string | null
  /** Writes a text within the network's limit. @throws WriterError with a sentence for the user */
  write(brief: Brief, signal: AbortSignal, listener?: Listener): Promise<Draft>
}

/** Reassures a user who waits for a text. */
export const nothingLost = 'Nothing you typed is lost.'

interface WriterErrorOptions {
  readonly retryAfterMs?: number
  readonly isFinal?: boolean
  readonly needsModel?: boolean
  readonly cause?: unknown
}

export class WriterError extends Error {
  override readonly name = 'WriterError'
  /** The wait that the AI service asked for. */
  readonly retryAfterMs?: number
  /** A retry with the same text is pointless. */
  readonly isFinal: boolean
  /** The server has no model, and the built-in writer can't do it. Not a failure. */
  readonly needsModel: boolean

  /** @param cause for the log; must contain nothing of a key */
  constructor(sentence: string, { retryAfterMs, isFinal = false, needsModel = false, cause }: WriterErrorOptions = {}) {
    super(sentence, { cause })
    this.isFinal = isFinal
    this.needsModel = needsModel
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}
