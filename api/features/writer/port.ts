/** Who writes a post's text when somebody asks for one. */
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
  /** `regenerate`: something else than the last posts. */
  readonly topic: string
  readonly tone: string
  /** The client's last texts, newest first: not to be repeated. */
  readonly recent: readonly string[]
  /** Not a new text but another version of this one. */
  readonly rewrite?: { readonly text: string; readonly how: Rewrite }
  /** Which of several that are to differ, from 0. */
  readonly variant?: number
}

export interface Draft {
  readonly content: string
  readonly source: 'openai' | 'template'
  readonly model: string | null
  readonly tokens: number | null
}

/** Hears a text while it is written. */
export interface Listener {
  part(text: string): void
  /** What was heard so far isn't to be used: it is written once more. */
  again(): void
}

export interface Writer {
  readonly source: Draft['source']
  readonly model: string | null
  /** A text within the network's limit. @throws WriterError with a sentence for the person who asked */
  write(brief: Brief, signal: AbortSignal, listener?: Listener): Promise<Draft>
}

/** Said to a person who waits for a text. */
export const nothingLost = 'Nothing you typed is lost.'

interface WriterErrorOptions {
  readonly retryAfterMs?: number
  readonly isFinal?: boolean
  readonly needsModel?: boolean
  readonly cause?: unknown
}

export class WriterError extends Error {
  override readonly name = 'WriterError'
  /** How long the writer asks to be left alone, where it said so. */
  readonly retryAfterMs?: number
  /** It can't be had of this text, however often it is asked for. */
  readonly isFinal: boolean
  /** The server has no model, and the built-in writer can't do it. Nothing failed. */
  readonly needsModel: boolean

  /** @param cause for the log: never with anything of a key in it */
  constructor(sentence: string, { retryAfterMs, isFinal = false, needsModel = false, cause }: WriterErrorOptions = {}) {
    super(sentence, { cause })
    this.isFinal = isFinal
    this.needsModel = needsModel
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}
