/** The log of one agency with very many posts, from a seed: ten clients, thirty-six months, most posts published. */
import { v5 as uuidv5 } from 'uuid'
import { randoms } from '../api/processes/test/randoms.ts'
import type { ChainedEvent, Fact } from '../domain/core/event.ts'
import { approvalHash } from '../domain/post/approval.ts'
import { events as catalogue } from '../domain/event-store/catalogue.ts'
import { chainHashes } from '../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'

export interface LargeAgency {
  readonly agencyId: string
  readonly ownerId: string
  readonly clients: readonly { readonly clientId: string; readonly accountId: string }[]
}

const day = 86_400_000
const months = 36
const monthsAhead = 3
/** The densest month has this much more than the others. */
const densest = 1.08
const namespace = '0195a000-0000-7000-8000-0000000000ff'
const vocabulary =
  `coffee morning fresh roast window terrace season autumn winter spring summer offer new menu cake bread team
  workshop story neighbour market harvest recipe kitchen garden bicycle weekend evening music gift tasting lemon
  ginger honey walnut cinnamon oat barista guest smile counter reading corner studio print poster ceramic wool
  linen candle sunrise river bridge harbour forest mountain trail picnic festival concert gallery opening hours
  delivery booking table question answer idea favourite secret seven today tomorrow friends family`
    .split(/\s+/)
    .concat('straße', 'café', 'naïve', 'über', 'fête')

/** Appends the posts. The months around now are the densest. */
export async function fillAgency(file: string, { agencyId, ownerId, clients }: LargeAgency, posts: number) {
  const random = randoms(20_260_801)
  const store = await openEmbeddedEventStore(file)
  const now = Date.now()
  const inMonth = Math.floor(posts / (months - 1 + densest))
  const text = () => {
    const words = Array.from({ length: random.whole(12, 60) }, () => random.pick(vocabulary))
    return `${words.join(' ')}.`
  }

  /** @param at of its planned time */
  const postAt = (at: number, number: number) => {
    const { clientId, accountId } = random.pick(clients)
    const id = uuidv5(String(number), namespace)
    const stream = `post-${id}`
    const content = text()
    const scheduledFor = new Date(at).toISOString()
    const bound = {
      scheduledFor,
      remoteAccountId: 'page-1',
      approvalHash: approvalHash({ content, imageUrl: null, image: null, remoteAccountId: 'page-1' }),
    }
    const draft = random.chance(0.04)
    const facts: Fact[] = [
      {
        type: 'PostWritten',
        data: {
          clientId,
          accountId,
          platform: 'facebook',
          content,
          imageUrl: null,
          scheduledFor: null,
          generationId: null,
        },
      },
    ]
    if (!draft) facts.push({ type: 'PostSubmitted', data: {} }, { type: 'PostApproved', data: bound })
    if (!draft && at < now)
      facts.push(
        { type: 'PostClaimed', data: { attemptId: id, number: 1, until: new Date(at + 60_000).toISOString() } },
        { type: 'PostPublished', data: { attemptId: id, remoteId: null, url: 'https://x.example/1', known: 'found' } },
      )
    const ages = [-5 * day, -4 * day, -3 * day, 0, 5_000]
    const events = chainHashes(
      stream,
      { revision: -1, hash: null },
      facts.map((fact, index) => ({
        ...catalogue.encode(fact),
        metadata: {
          eventId: uuidv5(`${number} ${index}`, namespace),
          at: new Date(Math.min(now, at + (ages[index] ?? 0))).toISOString(),
          actor: { type: 'user', id: ownerId },
          correlationId: id,
          causationId: id,
          schemaVersion: 1,
          agencyId,
          clientId,
        },
      })),
    )
    return { stream, events }
  }

  let number = 0
  let batch: { readonly stream: string; readonly events: readonly ChainedEvent[] }[] = []
  const flush = async () => {
    await Promise.all(batch.map(({ stream, events }) => store.append(stream, 'no-stream', events)))
    batch = []
  }
  for (let month = monthsAhead - months; month < monthsAhead; month++) {
    const count = month === 0 ? Math.round(inMonth * densest) : inMonth
    for (let index = 0; index < count; index++) {
      batch.push(postAt(now + (month + index / count) * 30 * day, number++))
      if (batch.length === 500) await flush()
    }
  }
  await flush()
  await store.close()
}
