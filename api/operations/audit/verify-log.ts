/** Verifies the log: every event in its hash chain, and every signed checkpoint still matching. */
import { Ledger, type LedgerFlaw } from '../../../domain/audit/ledger.ts'
import { UnreadableEvent, type EventStore } from '../../../domain/event-store/port.ts'
import { Comparison, type Kept } from './comparison.ts'
import { wholeLog } from './whole-log.ts'

export interface LogVerdict {
  readonly problems: readonly string[]
  /** Whether the log matches the checkpoint, independently of its own hash chain. */
  readonly isAsSigned: boolean
  readonly ledger: Ledger
}

const maxProblems = 100

/** @param signed the checkpoint to compare with */
export async function verifyLog(
  events: Pick<EventStore, 'readAll'>,
  signed: readonly Kept[],
  onProgress: (events: number) => void = () => undefined,
): Promise<LogVerdict> {
  const ledger = new Ledger()
  const comparisons = signed.map((kept) => new Comparison(kept))
  const flaws: string[] = []
  for await (const batch of wholeLog(events)) {
    for (const event of batch) {
      const isUnreadable = event instanceof UnreadableEvent
      const { position, stream, revision, name } = isUnreadable ? event.place : event
      const standing = { position, stream, revision, name, hash: isUnreadable ? event.hash : event.metadata.hash }
      const flaw = isUnreadable ? ledger.pass(standing) : ledger.take(event)
      const sentence = isUnreadable ? `${event.message}.` : flaw && sentenceOf(flaw, name)
      if (sentence && flaws.length < maxProblems) flaws.push(sentence)
      for (const comparison of comparisons) {
        comparison.take(standing, ledger)
        if (comparison.isAtEnd(ledger)) await comparison.compare(ledger)
      }
    }
    onProgress(ledger.events)
  }
  const differences = comparisons.flatMap((comparison) => comparison.problems(ledger))
  return { problems: [...flaws, ...differences], isAsSigned: differences.length === 0, ledger }
}

const sentenceOf = ({ stream, revision, problem }: LedgerFlaw, name: string): string => {
  const named = `${name}, event ${revision} of ${stream}`
  if (problem === 'changed') return `${named}, was changed.`
  return problem === 'missing'
    ? `Events before ${named}, are missing.`
    : `${named}, was inserted or moved, or an earlier event was changed.`
}
