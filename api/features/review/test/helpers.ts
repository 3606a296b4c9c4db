/** An agency whose client reviews posts by a link. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiClient } from '../../../http/client.ts'
import { later } from '../../../core/clock.ts'
import { brand, owner, type TestServer } from '../../../testing/server.ts'

export const asProblem = { headers: { Accept: 'application/problem+json' } }
export const tokenIn = (url: string | null | undefined): string => url?.split('#')[1] ?? 'no token'
const dayMs = 86_400_000

export interface Reviewed {
  readonly caller: ApiClient
  readonly clientId: string
  readonly accountId: string
  /** Writes a post for tomorrow and submits it. */
  submit(content: string, more?: object): Promise<string>
  write(content: string, more?: object): Promise<string>
  contact(name: string): Promise<{ readonly id: string; readonly email: string }>
  issue(body?: object): Promise<Issued>
}

export interface Issued {
  readonly id: string
  /** For everyone, or of the first contact. */
  readonly token: string
  readonly tokens: readonly string[]
}

let counter = 0

export async function reviewedAgency(server: TestServer, caller?: ApiClient): Promise<Reviewed> {
  const by = caller ?? (await owner(server))
  const { clientId, accountId } = await brand(by)
  const write = async (content: string, more: object = {}) => {
    const scheduledFor = later(server.clock.now(), dayMs)
    const body = { socialAccountId: accountId, content, scheduledFor, ...more }
    return (await by.callOrThrow('writePost', { params: { id: clientId }, body })).id
  }
  return {
    caller: by,
    clientId,
    accountId,
    write,
    async submit(content, more) {
      const id = await write(content, more)
      await by.callOrThrow('changePost', { params: { id }, body: { status: 'pending' } })
      return id
    },
    async contact(name) {
      const email = `contact-${process.pid}-${(counter += 1)}@example.com`
      const { id } = await by.callOrThrow('addContact', { params: { id: clientId }, body: { name, email } })
      return { id, email }
    },
    async issue(body = {}) {
      const { id, url, sentTo } = await by.callOrThrow('issueReviewLink', {
        params: { id: clientId },
        body: { anyone: !('contacts' in body), expiresAt: later(server.clock.now(), 30 * dayMs), ...body },
      })
      const tokens = sentTo.map((sent) => tokenIn(sent.url))
      return { id, token: url === null ? (tokens[0] ?? '') : tokenIn(url), tokens }
    },
  }
}

/** A browser without a session. */
export function reviewer(server: TestServer) {
  const api = new ApiClient(server.url)
  const problem = ({ status, text }: { readonly status: number; readonly text: string }) => ({
    status,
    type: status < 400 ? null : (JSON.parse(text) as { type: string }).type.replace('/problems/', ''),
  })
  return {
    api,
    look: (token: string, more: object = {}) => api.callOrThrow('lookAtReview', { body: { token, ...more } }),
    /** @throws Error for a link that is not open */
    async open(token: string, more: object = {}) {
      const seen = await api.callOrThrow('lookAtReview', { body: { token, ...more } })
      if (seen.state !== 'open') throw new Error(`The link is ${seen.state}`)
      return seen
    },
    async named(token: string, name: string, more: object = {}) {
      return (await api.callOrThrow('nameReviewer', { body: { token, name, ...more } })).session
    },
    problem: async (name: Parameters<ApiClient['ask']>[0], body: object) =>
      problem(await api.ask(name, { body, ...asProblem })),
  }
}

/** The files of a data folder that have the bytes of a text. A letter may leave the outbox meanwhile. */
export async function filesIn(dataDir: string, text: string): Promise<string[]> {
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return Buffer.alloc(0)
      })
      return bytes.includes(text) ? [name] : []
    }),
  )
  return found.flat()
}
