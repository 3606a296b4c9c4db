/** Whether the log is as it was written: every event in its chain, and all that a kept checkpoint covers still there. */
import { Ledger, type Head, type LedgerFlaw } from '../../domain/audit/ledger.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { Checkpoint } from './checkpoints.ts'

/** A checkpoint that was kept outside, with the ends of all streams where they were kept too. */
export interface KeptOutside {
  readonly checkpoint: Checkpoint
  readonly heads: ReadonlyMap<string, Head> | null
}

export interface LogVerdict {
  readonly problems: readonly string[]
  readonly ledger: Ledger
  /** Whether the log reached as far as the checkpoint, so that it could be compared. */
  readonly wasCompared: boolean
}

const mostProblems = 100

export async function verifyLog(events: Pick<EventStore, 'readAll'>, outside: KeptOutside | null, onProgress: (events: number) => void = () => undefined): Promise<LogVerdict> {
  const ledger = new Ledger()
  const problems: string[] = []
  let wasCompared = outside === null
  for await (const batch of events.readAll(null)) {
    for (const event of batch) {
      const flaw = ledger.take(event)
      if (flaw && problems.length < mostProblems) problems.push(sentenceOf(flaw, event.name))
      if (!outside || ledger.events !== outside.checkpoint.events) continue
      wasCompared = true
      if (ledger.root() !== outside.checkpoint.root) problems.push(...differences(ledger, outside))
    }
    onProgress(ledger.events)
  }
  if (!wasCompared && outside) {
    problems.push(`The log has ${ledger.events} events. The checkpoint was made over ${outside.checkpoint.events}: some were removed.`, ...differences(ledger, outside).slice(1))
  }
  return { problems, ledger, wasCompared }
}

const sentenceOf = ({ stream, revision, problem }: LedgerFlaw, name: string): string => {
  const named = `${name}, event ${revision} of ${stream}`
  if (problem === 'changed') return `${named}, was changed.`
  return problem === 'missing' ? `Events before ${named}, are missing.` : `${named}, was put in, moved, or what was before it was changed.`
}

function differences(ledger: Ledger, { checkpoint, heads }: KeptOutside): string[] {
  const first = `Up to event ${checkpoint.events} the log is not the one that was signed on ${checkpoint.at}.`
  if (!heads) return [first]
  const named = [...heads].flatMap(([stream, head]) => {
    const now = ledger.headOf(stream)
    if (!now) return [`${stream} is gone, with its ${head.revision + 1} events.`]
    if (now.revision < head.revision) return [`Events ${now.revision + 1} to ${head.revision} of ${stream} were removed.`]
    return now.revision === head.revision && now.hash !== head.hash ? [`The end of ${stream}, event ${head.revision}, is another one.`] : []
  })
  return [first, ...named.slice(0, mostProblems)]
}
