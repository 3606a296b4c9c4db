/** Posts in every status, as the screens need them. */
import type { ApiClient } from '../../api/http/client.ts'
import { later } from '../../api/core/clock.ts'
import type { TestServer } from '../../api/testing/server.ts'
import { becomes } from './stage.ts'

interface Wanted {
  readonly clientId: string
  readonly accountId: string
  readonly content: string
  readonly status?: 'draft' | 'pending' | 'approved' | 'rejected' | 'scheduled'
  readonly scheduledFor?: string
  readonly imageUrl?: string
}

/** A post that reached its status through the commands that users send. */
export async function write(
  caller: ApiClient,
  { clientId, accountId, status = 'draft', ...wanted }: Wanted,
): Promise<string> {
  const body = { socialAccountId: accountId, ...wanted }
  const { id } = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
  const change = (changed: object) => caller.callOrThrow('changePost', { params: { id }, body: changed })
  if (status === 'scheduled') await change({ status })
  if (status === 'pending' || status === 'approved' || status === 'rejected') await change({ status: 'pending' })
  if (status === 'approved' || status === 'rejected') await change({ status })
  return id
}

/** A published post: the clock advances to its scheduled time. */
export async function publish(
  server: TestServer,
  caller: ApiClient,
  wanted: Omit<Wanted, 'status' | 'scheduledFor'>,
): Promise<string> {
  const id = await write(caller, { ...wanted, status: 'scheduled', scheduledFor: later(server.clock.now(), 60_000) })
  server.clock.advance(61_000)
  await becomes(async () => (await caller.callOrThrow('getPost', { params: { id } })).status, 'published')
  return id
}
