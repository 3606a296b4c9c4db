/** What a server that others use too has in its log: other programs' events, its own, and gaps where some were. */
import { randomUUID } from 'node:crypto'
import { event } from '../samples.ts'
import type { Log, Proposed } from './log.ts'

const json = (type: string, data: object, metadata = ''): Proposed => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.from(metadata),
})

/** Names that the product has too, in streams of other tests. */
const ofOtherTests = ['PostWritten', 'PostSubmitted', 'ClientAdded', 'AgencyOpened'] as const
const inAStream = 10

/** Appends the given number of events in equal shares; those of scavenged streams leave gaps. */
export function seed(log: Log, count: number): void {
  const kinds = [
    () => ({ stream: `order-${randomUUID()}`, events: (n: number) => [json('OrderPlaced', { total: n })] }),
    () => ({
      stream: `blob-${randomUUID()}`,
      events: () => [{ ...json('Stored', {}), contentType: 'application/octet-stream', data: Buffer.alloc(64, 255) }],
    }),
    () => ({ stream: '$stats-127.0.0.1:2113', events: (n: number) => [json('$statsCollected', { n }, 'null')] }),
    () => ({
      stream: `test-${randomUUID()}-post-${randomUUID()}`,
      events: (n: number) => {
        const { data, metadata } = event()
        return [json(ofOtherTests[n % ofOtherTests.length] ?? '', data, JSON.stringify(metadata))]
      },
    }),
    () => ({ stream: `gone-${randomUUID()}`, events: (n: number) => [json('SampleTaken', { n })] }),
  ]
  for (let written = 0, round = 0; written < count; round++) {
    const kind = kinds[round % kinds.length]?.()
    if (!kind) return
    for (let n = 0; n < inAStream && written < count; n++, written++) log.append(kind.stream, 'any', kind.events(n))
    if (kind.stream.startsWith('order-')) {
      log.append(`$$${kind.stream}`, 'any', [json('$metadata', { $tb: 3 })])
      log.truncate(kind.stream, 3)
      written += 1
    }
    if (kind.stream.startsWith('gone-')) log.scavenge(kind.stream, inAStream - 1)
  }
}
