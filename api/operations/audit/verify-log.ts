/** Whether the log is as it was written: every event in its chain, and all that was signed of it still there. */
import { Ledger, type LedgerFlaw } from '../../../domain/audit/ledger.ts'
import { UnreadableEvent, type EventStore } from '../../../domain/event-store/port.ts'
import { Comparison, type Kept } from './comparison.ts'
import { wholeLog } from './whole-log.ts'

export interface LogVerdict {
  readonly problems: readonly string[]
  /** Whether it is what was signed, apart from what it says of itself. */
  readonly isAsSigned: boolean
  readonly ledger: Ledger
}

const maxProblems = 100

/** @param signed what the log is compared with */
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
      for (const comparison of comparisons) comparison.take(standing, ledger)
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
    : `${named}, was put in, moved, or what was before it was changed.`
}
