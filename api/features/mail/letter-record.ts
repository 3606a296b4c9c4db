/** A letter in the records, from the request that asked for it until some days after it was sent or given up. */
import { z } from 'zod'
import type { Instant, JsonObject } from '../../../domain/core/event.ts'
import type { EncryptedToken } from '../../networks/token-cipher.ts'
import type { Message } from './port.ts'

/**
 * `kept`: there is no SMTP server, an operator reads it. `not needed`: nothing had to be sent, such as a reset link for
 * an address without an account.
 */
export type LetterStatus = 'queued' | 'sent' | 'failed' | 'kept' | 'not needed'

export interface LetterRecord {
  /** Without anything readable: see `Letters.idOf`. */
  readonly id: string
  /** Who is erased with it; null where none is known. */
  readonly userId: string | null
  /** SHA-256 of the address that it goes to, where no user is known; letters of earlier versions have none. */
  readonly to?: string
  /** What the letter is about: chooses the composer. */
  readonly kind: string
  readonly status: LetterStatus
  readonly at: Instant
  readonly tries: number
  /** Of a try that is under way; the outcome is recorded under it alone. */
  readonly claim: string | null
  /** When the next try is due; null where none follows. */
  readonly nextAt: Instant | null
  /** Null while it is queued. */
  readonly doneAt: Instant | null
  /** Why the last try failed: a code, nothing of the letter. */
  readonly reason: string | null
  /** The key that encrypts the content; null without content. */
  readonly keyId: string | null
  /** The content, encrypted; null once the letter was sent. */
  readonly sealed: EncryptedToken | null
}

/** What is encrypted. */
export interface LetterContent {
  /** For the composer; null for a letter that was written when it was asked for. */
  readonly request: JsonObject | null
  readonly message: Message | null
  /** When the composer wrote the message: what it links to is over some time after. */
  readonly composedAt: Instant | null
}

const message = z.object({ to: z.string(), subject: z.string(), text: z.string() })
export const storedContent = z.object({
  request: z.record(z.string(), z.json()).nullable(),
  message: message.nullable(),
  composedAt: z.string().nullable(),
})

export interface NewLetter {
  readonly kind: string
  /** With the kind, what tells the letter from all others: two requests with the same parts are one letter. */
  readonly about: readonly string[]
  readonly userId?: string
  /** The address that it goes to, where no user is known: it is erased with the person who has it. */
  readonly to?: string
  /** The message, or what its composer needs. */
  readonly content: { readonly message: Message } | { readonly request: JsonObject }
  /** A letter with the same parts is replaced and sent once more; else the earlier one counts. */
  readonly again?: boolean
  /** It leaves at this time or later; else at once. */
  readonly notBefore?: Instant
}

/** Writes the message of a request; null when there is nothing to send (any more). */
export type Composer = (request: JsonObject) => Promise<Message | null>
/** By kind. */
export type Composers = Readonly<Record<string, Composer>>

/** For features that show whether a letter has left. */
export type LetterState = 'queued' | 'sent' | 'failed'

/** Asks for letters, and shows what became of them. */
export interface LetterBox {
  /** The id of the letter with these parts. */
  idOf(kind: string, about: readonly string[]): string
  /** Durable once it resolves. Returns the letter's id. @throws RecordsFull, StoreUnavailable */
  enqueue(letter: NewLetter): Promise<string>
  /** The letter with these parts does not leave any more, if it has not left yet. */
  end(kind: string, about: readonly string[]): Promise<void>
  /** Letters that were removed, some days after they were sent or given up, are missing. */
  statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, LetterState>>
}
