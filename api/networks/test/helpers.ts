/** A network set up for tests: connected, with injectable faults, and observable from outside. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import type { Platform } from '../../../domain/core/values.ts'
import type { MovableClock } from '../../core/clock.ts'
import { jpeg } from '../../features/media/test/helpers.ts'
import type { Connection, Image, Network, NetworkError, Outcome, Profile, Submission } from '../port.ts'
import { allow, pkce, redirectUri, startSandbox } from '../../sandbox/test/helpers.ts'

export type FaultKind =
  | `${'timeout' | 'reset' | 'error'}-${'before' | 'after'}`
  | 'rate-limited'
  | 'unauthorized'
  | 'duplicate'
  | 'slow'

/** A network that tests can connect to, with injectable faults. */
export interface Opened {
  readonly network: Network
  /** The user's part in the browser: allows the named profiles and returns. */
  allow(
    names: readonly string[],
  ): Promise<{ readonly code: string; readonly redirectUri: string; readonly codeVerifier: string }>
  plan(
    accountName: string,
    fault: {
      readonly kind: FaultKind
      readonly step?: 'publish' | 'prepare' | 'lookup' | 'metrics' | 'renew'
      readonly retryAfterSeconds?: number
      readonly delayMs?: number
      readonly times?: number
    },
  ): Promise<void>
  revoke(accountName: string): Promise<void>
  limit(limit: { readonly posts: number; readonly windowMs: number }): Promise<void>
  /** The texts that are live, oldest first. */
  live(): Promise<readonly { readonly remoteId: string; readonly content: string; readonly hasImage: boolean }[]>
  /** Shuts the network down. */
  close(): Promise<void>
}

/** The allowed differences between networks. */
export interface Traits {
  readonly platform: Platform
  /** Accepts a post without an image. */
  readonly takesText: boolean
  /** One consent may cover several profiles. */
  readonly sharesSeveral: boolean
  /**
   * rotating: each refresh token works once; lasting: one works until it expires; itself: the token refreshes itself;
   * never.
   */
  readonly renewal: 'rotating' | 'lasting' | 'itself' | 'never'
  readonly hasQuota: boolean
  /** States that a prepared post is not live. */
  readonly provesAbsence: boolean
  /** Supports revoking tokens. */
  readonly revokes: boolean
}

/** One test's network, with common test steps. */
export interface Stage {
  readonly opened: Opened
  readonly clock: MovableClock
  readonly traits: Traits
  connectAll(...names: string[]): Promise<readonly Profile[]>
  connect(name?: string): Promise<Connection>
  /** With an image if the network requires one. */
  submission(connection: Connection, content?: string): Submission
  /** Prepares and publishes. */
  post(submission: Submission): Promise<{ readonly outcome: Outcome; readonly media: readonly string[] }>
}

export function stageOf(opened: Opened, clock: MovableClock, traits: Traits): Stage {
  const { network } = opened
  const connectAll = async (...names: string[]) => network.exchange(await opened.allow(names))
  return {
    opened,
    clock,
    traits,
    connectAll,
    async connect(name = 'Acme') {
      const [profile] = await connectAll(name)
      if (!profile) throw new Error('The consent covered no profile')
      return profile
    },
    submission: ({ remoteId, tokens }, content = 'hi') => ({
      remoteId,
      tokens,
      content,
      image: traits.takesText ? null : photo(),
    }),
    async post(submission) {
      const ready = await network.prepare(submission)
      if (ready.kind !== 'ready') throw new Error(ready.cause)
      return { outcome: await network.publish(submission, ready.media), media: ready.media }
    },
  }
}

/** A test only for networks to which it applies. */
export const itWhen =
  (applies: boolean) =>
  (name: string, test: () => Promise<void>): void => {
    if (applies) it(name, test)
  }

/** A square that every network accepts. */
export function photo(): Image {
  const bytes = new Uint8Array(jpeg(600, 600))
  const publicUrl = 'https://social.example/media/photo.jpg'
  return {
    hash: '0'.repeat(64),
    type: 'image/jpeg',
    size: bytes.length,
    width: 600,
    height: 600,
    publicUrl,
    read: () => Promise.resolve(bytes),
  }
}

/** All text of an error, including its causes and stack. */
export function saidBy(error: NetworkError): string {
  const { cause } = error
  return `${error.name} ${error.message} ${error.stack ?? ''} ${cause instanceof Error ? saidBy(cause) : JSON.stringify(cause)} ${JSON.stringify(error)}`
}

/** A platform's connector with its own sandbox, over real HTTP. */
export const onSandbox =
  (platform: Platform) =>
  async (clock: MovableClock): Promise<Opened> => {
    const folder = await temporaryFolder('networks')
    const sandbox = await startSandbox(folder, clock)
    const network = sandbox.networks[platform]
    return {
      network,
      async allow(names) {
        const url = network.consentUrl({
          state: 's',
          redirectUri,
          accountName: names[0] ?? '',
          codeChallenge: pkce.challenge,
        })
        return { code: await allow(url, names), redirectUri, codeVerifier: pkce.verifier }
      },
      plan: (accountName, fault) => sandbox.plan(platform, accountName, fault),
      revoke: (accountName) => sandbox.revoke(platform, accountName),
      limit: (limit) => sandbox.limit(platform, limit),
      live: async () =>
        (await sandbox.posts()).map(({ remoteId, content, imageHash, imageUrl }) => ({
          remoteId,
          content,
          hasImage: (imageHash ?? imageUrl) !== null,
        })),
      async close() {
        await sandbox.close()
        await removeFolder(folder)
      },
    }
  }

/** The traits of most networks. */
export const usual = {
  takesText: true,
  sharesSeveral: false,
  renewal: 'never',
  hasQuota: false,
  provesAbsence: false,
  revokes: false,
} as const

export interface Seen {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A server with scripted responses, for cases that no sandbox produces. */
export async function scripted(
  answer: (seen: Seen) => Reply,
): Promise<{ readonly url: string; readonly seen: Seen[]; close(): Promise<void> }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const asked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers }
      seen.push(asked)
      const { status = 200, headers = {}, body = {} } = answer(asked)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
