/** The stores, views and sandbox that processes need, in a temporary folder, with a clock that tests control. */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { keptLog } from '../../testing/all-logs.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { patience } from '../../../domain/test/patience.ts'
import { clientProfileSchema } from '../../../domain/agency/commands.ts'
import { noApprovalPolicy, type ApprovalPolicy } from '../../../domain/core/approval-policy.ts'
import type { Fact } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import type { Post } from '../../../domain/post/state.ts'
import { Projector } from '../../../projections/core/projector.ts'
import { projections, viewsOf } from '../../../projections/registry.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import { ContactBook } from '../../features/contacts/contacts.ts'
import { ReviewRecords } from '../../features/review/records.ts'
import { createCommands } from '../../features/commands.ts'
import { createConnect } from '../../networks/connect.ts'
import { allow, redirectUri, startSandbox } from '../../sandbox/test/helpers.ts'
import { createImages } from '../../features/media/images.ts'
import { jpeg } from '../../features/media/test/helpers.ts'
import { Connections } from '../../networks/connections.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { Vault } from '../../networks/vault.ts'
import type { PostDelivery } from '../../contract/index.ts'
import { LogReads, shortReads } from '../../features/history/log-reads.ts'
import { deliveryHandlers } from '../../features/posts/delivery.ts'
import { OutcomeLooks } from '../../features/posts/outcome-looks.ts'
import { freeSlots } from '../../features/posts/free-slot.ts'
import { keepFor } from '../../features/posts/images.ts'
import { history } from '../../core/aggregates.ts'
import { openFiles } from '../../composition/embedded.ts'
import { forget, storesFor } from '../../testing/servers.ts'

/** How long tests wait for a condition, and how often they look. */
export const soon = { ...patience, interval: 20 } as const

export class StillClock {
  #now: string
  constructor(start: string) {
    this.#now = start
  }
  now = (): string => this.#now
  advance(ms: number): void {
    this.#now = later(this.#now, ms)
  }
}

export interface Account {
  readonly clientId: string
  readonly accountId: string
  readonly platform: Platform
  readonly name: string
}

/** The command that writes a draft. Instagram takes no post without an image. */
const writingOf = ({ clientId, accountId, platform }: Account, content: string, withImage: boolean) =>
  ({
    type: 'WritePost',
    postId: uuidv7(),
    clientId,
    accountId,
    platform,
    content,
    imageUrl: withImage || platform === 'instagram' ? 'https://images.test/a.jpg' : null,
    scheduledFor: null,
    as: 'draft',
    generation: null,
    plan: null,
  }) as const

export type World = Awaited<ReturnType<typeof openWorld>>

const cipher = new TokenCipher({ current: randomBytes(32) })

export interface WorldOptions {
  /** Reopens the same world after its processes ended. */
  readonly folder?: string
  readonly clock?: StillClock
  readonly agencyId?: string
  /** The agency's time zone. */
  readonly timeZone?: string
  /** The networks' clock; by default the same clock. */
  readonly networkClock?: Clock
  /** Milliseconds until a network's feed lists the next accepted post; by default none. */
  readonly feedLagMs?: () => number
}

/** A new agency without data, or the same world reopened. */
export async function openWorld(before: WorldOptions = {}) {
  const folder = before.folder ?? (await temporaryFolder('processes'))
  const clock = before.clock ?? new StillClock('2026-03-02T08:00:00.000Z')
  const log = keptLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')
  const { events, store, records, media } = await (storesFor(folder) ?? (() => openFiles(folder)))()
  const projector = new Projector(projections, { events, store, onError: (_, error) => log.error({ err: error }) })
  await projector.start()
  const views = viewsOf(store, projector.live)
  const fetchNothing = async () => ({ kind: 'fetched', bytes: jpeg(1080, 1080) }) as const
  const images = createImages({ store: media, publicUrl: 'http://socialai.test', fetch: fetchNothing })
  const commands = createCommands({
    events,
    clock,
    freeSlot: freeSlots(() => views),
    keepImage: keepFor(images),
  })
  const sandbox = await startSandbox(folder, before.networkClock ?? clock, before.feedLagMs)
  const { networks } = sandbox
  const vault = await Vault.open(records, cipher)
  const clientContacts = await ContactBook.open(records, commands, clock)
  const reviewRecords = await ReviewRecords.open(records, cipher, clock)
  const connect = await createConnect({ commands, networks, vault, cipher, records, clock })
  const connections = await Connections.open({ commands, networks, vault, records, clock })

  const agencyId = before.agencyId ?? uuidv7()
  const userId = 'owner'
  const by: CommandContext = { actor: { type: 'user', id: userId }, agencyId, correlationId: uuidv7() }
  if (before.agencyId === undefined) {
    const opening = {
      type: 'OpenAgency',
      agencyId,
      ownerId: userId,
      name: 'Agency',
      timeZone: before.timeZone ?? 'UTC',
    } as const
    const opened = await commands.agency(agencyId, opening, by)
    if ('refused' in opened) throw new Error(opened.refused.reason)
  }

  const connectAccount = async ({ clientId, accountId, platform }: Account): Promise<void> => {
    const sessionId = 'session'
    const begun = await connect.begin({ target: { accountId }, clientId, agencyId, userId, sessionId, redirectUri })
    if (begun.kind !== 'redirect') throw new Error(begun.sentence)
    const state = new URL(begun.url).searchParams.get('state') ?? ''
    const finished = await connect.finish({ platform, state, code: await allow(begun.url), sessionId })
    if (finished.kind !== 'connected') throw new Error(finished.sentence)
  }

  return {
    folder,
    clock,
    log,
    events,
    records,
    projector,
    views,
    commands,
    sandbox,
    networks,
    vault,
    clientContacts,
    reviewRecords,
    cipher,
    connections,
    images,
    connect,
    agencyId,
    by,
    connectAccount,

    async addClient(): Promise<string> {
      const clientId = uuidv7()
      const profile = clientProfileSchema.parse({ name: `Client ${clientId}` })
      const added = await commands.agency(agencyId, { type: 'AddClient', clientId, profile }, by)
      if ('refused' in added) throw new Error(added.refused.reason)
      return clientId
    },

    async addAccount(clientId: string, platform: Platform = 'facebook', isConnected = true): Promise<Account> {
      const accountId = uuidv7()
      const account: Account = { clientId, accountId, platform, name: `Account ${accountId}` }
      await commands.client(
        clientId,
        { type: 'AddSocialAccount', accountId, platform, accountName: account.name, accountUrl: null },
        by,
      )
      if (isConnected) await connectAccount(account)
      return account
    },

    /**
     * Writes and schedules a post, and waits until the publisher's view has it.
     * @param inMs from now; null: the account's next free slot
     */
    async schedule(
      account: Account,
      content: string,
      inMs: number | null = 60_000,
      withImage = false,
    ): Promise<string> {
      const written = writingOf(account, content, withImage)
      const { postId } = written
      await commands.post(postId, written, by)
      const done = await commands.post(
        postId,
        { type: 'SchedulePost', scheduledFor: inMs === null ? null : later(clock.now(), inMs) },
        by,
      )
      if ('refused' in done) throw new Error(done.refused.reason)
      await projector.waitFor(done.appendedEvents, patience.timeout)
      return postId
    },

    /**
     * The same under a policy of two steps, which the owner approves; the policy is there for this post alone.
     * @param inMs from now
     */
    async scheduleInSteps(account: Account, content: string, inMs: number, withImage = false): Promise<string> {
      const { clientId } = account
      const stepIds = ['0195a000-0000-7000-8000-0000000000e1', '0195a000-0000-7000-8000-0000000000e2']
      const steps = stepIds.map((id) => ({
        id,
        name: 'The owner',
        who: { kind: 'role', role: 'owner' } as const,
        need: 'all' as const,
      }))
      const setPolicy = async (policy: ApprovalPolicy) =>
        commands.client(clientId, { type: 'SetApprovalPolicy', policy }, by)
      await setPolicy({ ...noApprovalPolicy, steps })
      const scheduledFor = later(clock.now(), inMs)
      const written = { ...writingOf(account, content, withImage), scheduledFor, as: 'pending' } as const
      const { postId } = written
      await commands.post(postId, written, by)
      await setPolicy(noApprovalPolicy)
      for (const stepId of stepIds) {
        const done = await commands.post(postId, { type: 'ApprovePost', stepId }, by)
        if ('refused' in done) throw new Error(done.refused.reason)
        await projector.waitFor(done.appendedEvents, patience.timeout)
      }
      return postId
    },

    post: async (postId: string): Promise<Post> => (await commands.loadPost(postId)).state,
    /** The answer of `GET /api/posts/{id}/delivery`. */
    async delivery(postId: string): Promise<PostDelivery> {
      const loadAgency = async () => (await commands.loadAgency(agencyId)).state
      const session = { id: 'session', userId, agencyId: null }
      const asked = {
        address: '',
        device: null,
        requestId: '',
        idempotencyKey: null,
        signIn: null,
        oidc: null,
        userAgent: '',
        lastEventId: null,
        visible: async () => true,
        charge: async () => undefined,
        session,
        me: { id: userId, userId, role: 'owner', clients: 'all', invitationId: null, joinedAt: null } as const,
        agencyId,
        loadAgency,
        by,
        aggregates: commands.newScope(),
      }
      const { body } = await deliveryHandlers({
        commands,
        clock,
        reads: new LogReads(shortReads),
        outcomeLooks: new OutcomeLooks(records),
      }).getPostDelivery({
        ...asked,
        params: { id: postId },
        query: undefined,
        body: undefined,
      })
      return body
    },
    eventsOf: async (stream: string): Promise<Fact[]> => history(events, stream),
    /** The texts in the sandbox's feed, in order. */
    feed: async (): Promise<string[]> => (await sandbox.posts()).map(({ content }) => content),

    /** Stops everything but keeps the folder, like a restart. */
    async close(): Promise<void> {
      await sandbox.close()
      await media.close()
      await projector.stop()
      await records.close()
      await store.close()
      await events.close()
    },
    async remove(): Promise<void> {
      await this.close()
      await forget(folder)
      await removeFolder(folder)
    },
  }
}
