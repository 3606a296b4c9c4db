/** Compares the log with a signed checkpoint: which events were removed, replaced or inserted. */
import type { Head, Ledger } from '../../../domain/audit/ledger.ts'
import type { Standing } from '../../../domain/audit/log-tree.ts'
import type { Checkpoint } from '../../features/audit/checkpoints.ts'

/** A checkpoint, with the ends of all streams if they were saved too. */
export interface Kept {
  readonly checkpoint: Checkpoint
  readonly heads: ReadonlyMap<string, Head> | null
}

const maxProblems = 100

export class Comparison {
  readonly #kept: Kept
  /** The current hashes at the places where the streams ended when signed. */
  readonly #now = new Map<string, string | null>()
  readonly #putIn: string[] = []
  #isSame: boolean | null = null
  #isInOrder = true

  constructor(kept: Kept) {
    this.#kept = kept
  }

  /** Whether the checkpoint ends with the event that the ledger took last: then compare them before the next one. */
  isAtEnd({ events }: Ledger): boolean {
    return events === this.#kept.checkpoint.events
  }

  /** @param ledger has taken as many events as the checkpoint covers */
  async compare(ledger: Ledger): Promise<void> {
    const { checkpoint } = this.#kept
    if (checkpoint.version === 2) {
      this.#isSame = ledger.tree.root() === checkpoint.root
    } else {
      this.#isInOrder = checkpoint.order === undefined || ledger.order === checkpoint.order
      this.#isSame = (await ledger.rootOfHeads()) === checkpoint.root
    }
  }

  /** @param ledger has already taken the event */
  take(event: Standing & { readonly name: string }, ledger: Ledger): void {
    const { heads } = this.#kept
    if (!heads) return
    const { stream, revision, hash, name } = event
    const head = heads.get(stream)
    if (revision === head?.revision) this.#now.set(stream, hash)
    if (revision <= (head?.revision ?? -1) || !this.#isCovered(event, ledger) || this.#putIn.length >= maxProblems)
      return
    this.#putIn.push(
      `${name}, event ${revision} of ${stream}, lies within the signed part of the log and was not signed: it was inserted.`,
    )
  }

  problems(ledger: Ledger): string[] {
    const { heads } = this.#kept
    const { events, at, version } = this.#kept.checkpoint
    const named = this.#named(ledger)
    const inOtherOrder = `The order of events differs from the order signed on ${at}.`
    if (this.#isSame === null)
      return [`The log has ${ledger.events} events. The checkpoint covers ${events}: some were removed.`, ...named]
    if (this.#isSame && named.length === 0) return this.#isInOrder ? [] : [inOtherOrder]
    // The root of version 2 covers the order too: if every stream ends as it did, nothing else can differ.
    if (version === 2 && heads && named.length === 0) return [inOtherOrder]
    return [`The first ${events} events differ from those signed on ${at}.`, ...named]
  }

  /** By position if the log is still in the same store; a moved log has other positions, in the same order. */
  #isCovered({ position }: Standing, ledger: Ledger): boolean {
    const { checkpoint } = this.#kept
    return position.length === checkpoint.position.length
      ? position <= checkpoint.position
      : ledger.events <= checkpoint.events
  }

  #named(ledger: Ledger): string[] {
    const ends = [...(this.#kept.heads ?? [])].flatMap(([stream, head]) =>
      this.#atEnd(stream, head, ledger.headOf(stream)),
    )
    return [...ends.slice(0, maxProblems), ...this.#putIn]
  }

  #atEnd(stream: string, { revision, hash }: Head, end: Head | null): string[] {
    const count = (events: number) => `${events} ${events === 1 ? 'event' : 'events'}`
    if (!end) return [`${stream} was removed, with its ${count(revision + 1)}.`]
    // The remaining events can't prove which one is gone: their hash chain may have been recomputed.
    if (end.revision < revision)
      return [
        `${stream} had ${count(revision + 1)} when it was signed and has ${end.revision + 1} now: ${revision - end.revision} of them ${revision - end.revision === 1 ? 'was' : 'were'} removed.`,
      ]
    const now = this.#now.get(stream)
    if (now === undefined) return [`Event ${revision} of ${stream} is missing.`]
    return now === hash
      ? []
      : [
          `${stream} differs from the signed stream: its event ${revision} has another hash, so this event or an earlier one was changed, inserted or removed.`,
        ]
  }
}
