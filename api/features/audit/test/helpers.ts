/** An agency with a history, and its export. */
import type { ApiClient } from '../../../http/client.ts'
import { brand, owner, type TestServer } from '../../../testing/server.ts'

export interface Past {
  readonly caller: ApiClient
  readonly clientId: string
  readonly accountId: string
  /** The first was edited, approved and returned; one was deleted. */
  readonly postIds: readonly string[]
}

/** Texts that break careless formats. */
export const texts = [
  'Plain',
  'With "quotes", commas,\nand lines',
  '=SUM(A1)',
  'Zoë says “café” 👩‍🚀',
  '{"kind":"manifest"}',
  '\u2028 and \u0007',
]

export async function agencyWithPast(server: TestServer): Promise<Past> {
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const write = async (content: string) =>
    (await caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } }))
      .id
  const postIds: string[] = []
  for (const text of texts) {
    server.clock.advance(60_000)
    postIds.push(await write(text))
  }
  const [first = '', second = ''] = postIds
  for (const body of [
    { content: 'Second version' },
    { status: 'pending' },
    { status: 'approved' },
    { status: 'draft' },
  ]) {
    server.clock.advance(60_000)
    await caller.callOrThrow('changePost', { params: { id: first }, body })
  }
  await caller.callOrThrow('deletePost', { params: { id: second } })
  return { caller, clientId, accountId, postIds }
}

/** The text in chunks of arbitrary length, like a file that is read. */
export async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  for (let from = 0; from < bytes.length; from += 1_000) yield bytes.subarray(from, from + 1_000)
}
