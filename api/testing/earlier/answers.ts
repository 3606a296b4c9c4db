/** What a server answers to one person's reads: recorded from an earlier build, and asked again of this one. */
import { ApiClient } from '../../http/client.ts'

/** By path: the parsed reply, of texts the text. */
export type Answers = Readonly<Record<string, unknown>>

export interface Asked {
  /** Posts beside those that the lists show: deleted ones. */
  readonly postIds: readonly string[]
  readonly months: readonly string[]
}

/** @throws Error with status and text */
export async function read(client: ApiClient, path: string): Promise<unknown> {
  const { status, text, headers } = await client.get(path)
  if (status !== 200) throw new Error(`${path}: ${status}: ${text}`)
  return headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}

export async function answersTo(client: ApiClient, { postIds, months }: Asked): Promise<Answers> {
  const answers: Record<string, unknown> = {}
  const ask = async (path: string) => (answers[path] = await read(client, path))
  const list = async (path: string) => (await ask(path)) as readonly { readonly id: string }[]
  for (const path of ['/api/auth/user', '/api/agency', '/api/dashboard', '/api/analytics', '/api/usage'])
    await ask(path)
  for (const path of ['/api/audit', '/api/audit/posts', '/api/audit/checkpoints', '/api/audit/links']) await ask(path)
  for (const month of months) await ask(`/api/calendar?month=${month}`)
  const posts = new Set(postIds)
  for (const { id } of await list('/api/clients')) {
    await ask(`/api/clients/${id}`)
    await list(`/api/clients/${id}/social-accounts`)
    await list(`/api/clients/${id}/schedules`)
    for (const post of await list(`/api/clients/${id}/posts`)) {
      posts.add(post.id)
      await ask(`/api/posts/${post.id}`)
      await ask(`/api/posts/${post.id}/delivery`)
    }
  }
  for (const id of posts) await ask(`/api/posts/${id}/history`)
  return answers
}
