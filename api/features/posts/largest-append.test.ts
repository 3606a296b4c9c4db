/**
 * The largest requests: what they append stays far below the most that an event store takes at once.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appendBytes, maxAppendBytes } from '../../../domain/event-store/append-size.ts'
import { textsOf } from '../../../domain/event-store/test/samples.ts'
import { AppendTooLarge, type EventStore } from '../../../domain/event-store/port.ts'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openFiles } from '../../composition/embedded.ts'
import { problemOfError } from '../../http/guard.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
const appends: { readonly bytes: number; readonly names: string }[] = []
beforeAll(async () => {
  const dataDir = await temporaryFolder('largest')
  server = await testServer(
    { DATA_DIR: dataDir },
    {
      async openStores() {
        const stores = await openFiles(dataDir)
        const { events } = stores
        const measured: EventStore = {
          append(stream, expected, chained) {
            appends.push({ bytes: appendBytes(chained.map(textsOf)), names: chained.map(({ name }) => name).join(' ') })
            return events.append(stream, expected, chained)
          },
          read: (...asked) => events.read(...asked),
          readAll: (...asked) => events.readAll(...asked),
          subscribe: (...asked) => events.subscribe(...asked),
          head: (...asked) => events.head(...asked),
          end: () => events.end(),
          count: (...asked) => events.count(...asked),
          close: () => events.close(),
        }
        return { ...stores, events: measured }
      },
    },
  )
})
afterAll(() => server.remove())

it('The largest command appends less than half of what an event store takes at once', async () => {
  const caller = await owner(server)
  const { clientId, accountId: socialAccountId } = await brand(caller, 'facebook')
  const imageUrl = `https://example.com/${'i'.repeat(2_028)}`
  // Of all letters that may be stored, a control character is the longest in JSON: six bytes. One letter is visible.
  const contents = ['\u0001', '\u{1f389}'].map((letter) => `${letter.repeat(65_000 / letter.length - 1)}x`)
  for (const content of contents) {
    const id = (
      await caller.callOrThrow('writePost', {
        params: { id: clientId },
        body: { socialAccountId, content, imageUrl },
      })
    ).id
    await caller.callOrThrow('changePost', { params: { id }, body: { content: `${content.slice(2)}..` } })
    await caller.callOrThrow('writePostGroup', {
      params: { id: clientId },
      body: { content, imageUrl, posts: [{ socialAccountId }] },
    })
  }
  await caller.callOrThrow('addSchedule', {
    params: { id: clientId },
    body: {
      socialAccountId,
      frequency: 'custom',
      postsPerWeek: 50,
      preferredTimes: Array.from({ length: 50 }, (_, n) => ({ day: n % 7, time: `1${n % 10}:${10 + n}` })),
      contentTopics: Array.from({ length: 50 }, () => '\u0001x'.repeat(100)),
    },
  })
  await caller.callOrThrow('addClient', {
    body: {
      name: 'n'.repeat(120),
      description: 'é'.repeat(2_000),
      industry: 'i'.repeat(120),
      targetAudience: 't'.repeat(500),
      toneOfVoice: 'v'.repeat(200),
      logoUrl: imageUrl,
    },
  })
  const largest = appends.toSorted((one, other) => other.bytes - one.bytes)[0]
  expect(largest?.names).toMatch(/^PostWritten/)
  expect(largest?.bytes).toBeGreaterThan(300_000)
  expect(largest?.bytes).toBeLessThan(maxAppendBytes / 2)
})

it('More than that is refused in a sentence', () => {
  const problem = problemOfError(new AppendTooLarge('post-1', maxAppendBytes + 1, maxAppendBytes))
  expect(problem).toMatchObject({
    status: 413,
    type: 'too-large',
    message: 'That is too much to save at once. Nothing was changed; make the text shorter, then try again.',
  })
})
