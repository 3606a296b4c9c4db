/**
 * The client cleanup: deletes a removed client's posts, accounts, tokens, contacts, sample figures and words of
 * comments, and the name and address of a removed contact. It follows the log, which also shows what is added after the
 * removal. The posts from before it are found in the view of all streams, once that has the removal: searching the log
 * for them would read every post of the installation.
 */
import type { Logger } from 'pino'
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { ClientEvent } from '../../../domain/client/events.ts'
import type { Position, Recorded } from '../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import { UnknownEvent } from '../../../domain/core/history.ts'
import { StoreUnavailable, UnreadableEvent, type EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import type { SampleEvent } from '../../../domain/sample/events.ts'
import type { DiscussionEvent } from '../../../domain/discussion/events.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AppendedEvent, CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { eraseWords, openCommentWords, type CommentWordsTable } from '../../features/comments/words.ts'
import { deleteKeysIfDisconnected, readableKeys } from '../../networks/disconnect.ts'
import { giveBack } from '../../networks/give-back.ts'
import type { Networks } from '../../networks/port.ts'
import type { ContactBook } from '../../features/contacts/contacts.ts'
import type { ReviewRecords } from '../../features/review/records.ts'
import type { Vault } from '../../networks/vault.ts'
import type { Records } from '../../records/port.ts'
import { startLoop, type Loop } from '../../core/loop.ts'
import type { WaitFor } from '../../core/read-your-writes.ts'
import { DelayedCheckpoint, type Checkpoint } from '../checkpoint.ts'

export interface ClientCleanupPorts {
  readonly commands: Commands
  readonly events: Pick<EventStore, 'subscribe'>
  readonly vault: Vault
  readonly networks: Networks
  readonly records: Records
  readonly clientContacts: Pick<ContactBook, 'remove' | 'removeOf'>
  readonly reviewRecords: Pick<ReviewRecords, 'removeOf'>
  readonly log: Logger
  readonly views: Pick<Views, 'streams'>
  /** For the views. */
  readonly waitFor: WaitFor
}

export interface ClientCleanup {
  /** Continues after the stored checkpoint, across restarts. */
  start(): Promise<void>
  stop(): Promise<void>
}

type HandledEvent = Extract<
  AgencyEvent | ClientEvent | DiscussionEvent | PostEvent | SampleEvent,
  {
    type:
      | 'ClientRemoved'
      | 'CommentPosted'
      | 'PostWritten'
      | 'ClientContactRemoved'
      | 'SocialAccountAdded'
      | 'SocialAccountConnected'
      | 'SocialAccountDisconnected'
      | 'SampleFiguresAdded'
  }
>

const handledTypes: readonly HandledEvent['type'][] = [
  'ClientRemoved',
  'CommentPosted',
  'PostWritten',
  'ClientContactRemoved',
  'SocialAccountAdded',
  'SocialAccountConnected',
  'SocialAccountDisconnected',
  'SampleFiguresAdded',
]
const retryMs = 1_000
/** Events whose streams can't be read are tried again this often. */
const retrySetAsideMs = 60_000
/** With more of them, the cleanup waits at the next one. */
const maxSetAside = 1_000
const postsAtOnce = 16
const viewWithinMs = 10_000
/** After a crash, the events of this time are handled again, which changes nothing. */
const checkpointDelayMs = 5_000

export function createClientCleanup({
  commands,
  events,
  vault,
  networks,
  records,
  clientContacts,
  reviewRecords,
  log,
  views,
  waitFor,
}: ClientCleanupPorts): ClientCleanup {
  const filter = { names: catalogue.namesOf(handledTypes) }
  let loop: Loop | null = null
  let retries: Loop | null = null
  /** By position: events that another event of their stream, which can't be read, keeps from being handled. */
  const setAside = new Map<Position, Recorded<HandledEvent>>()
  let checkpoint: DelayedCheckpoint | null = null

  const onRoster = async (agencyId: string, clientId: string) =>
    clientId in (await commands.loadAgency(agencyId)).state.clients

  const removePost = (postId: string, by: CommandContext) =>
    commands.post(postId, { type: 'DeletePost', because: 'client-removed' }, by)

  const removeAccount = async (clientId: string, accountId: string, by: CommandContext) => {
    const account = (await commands.loadClient(clientId)).state.accounts[accountId]
    // An unreadable token can't be revoked at the network, but is deleted all the same.
    const connection = await readableKeys(vault, accountId)
    await vault.remove(accountId)
    if (account && connection)
      giveBack({ networks, log }, { accountId, platform: account.platform, network: account.network }, connection)
    await commands.client(clientId, { type: 'DisconnectSocialAccount', accountId, because: 'client-removed' }, by)
  }

  let words: CommentWordsTable | null = null
  const removeWords = async (clientId: string) =>
    eraseWords((words ??= await openCommentWords(records)), 'clientId', clientId)

  const removeAll = async (clientId: string, removal: AppendedEvent, by: CommandContext) => {
    await clientContacts.removeOf(clientId)
    await reviewRecords.removeOf(clientId)
    await removeWords(clientId)
    const { state: client } = await commands.loadClient(clientId)
    for (const accountId of Object.keys(client.accounts)) await removeAccount(clientId, accountId, by)
    await commands.sample(clientId, { type: 'RemoveSampleFigures' }, by)
    if (!(await waitFor([removal], viewWithinMs)))
      throw new StoreUnavailable(`The view of the streams lags behind the removal of client ${clientId}`)
    const posts: string[] = []
    let unreadable: unknown = null
    // One unreadable post must not keep the client's others.
    const removeIfReadable = async (stream: string) => {
      try {
        await removePost(idIn(stream), by)
      } catch (error) {
        if (!isUnreadable(error)) throw error
        unreadable ??= error
      }
    }
    const remove = () => Promise.all(posts.splice(0).map(removeIfReadable))
    for await (const { item } of views.streams.each({ where: { clientId, kind: 'post' } })) {
      if (item.lastType !== 'PostDeleted') posts.push(item.id)
      if (posts.length === postsAtOnce) await remove()
    }
    await remove()
    if (unreadable !== null) throw unreadable
  }

  const handle = async ({ stream, metadata, revision, position, ...event }: Recorded<HandledEvent>): Promise<void> => {
    const { agencyId, correlationId, eventId: causationId } = metadata
    const by: CommandContext = { actor: { type: 'process', id: 'farewell' }, agencyId, correlationId, causationId }
    if (event.type === 'ClientRemoved')
      return removeAll(event.data.clientId, { type: event.type, stream, revision, position }, by)
    const clientId = metadata.clientId ?? ''
    if (event.type === 'ClientContactRemoved') return clientContacts.remove(clientId, event.data.contactId)
    if (event.type === 'SocialAccountDisconnected')
      return void (await deleteKeysIfDisconnected(
        { commands, vault, networks, log },
        { accountId: event.data.accountId, clientId },
      ))
    if (await onRoster(agencyId, clientId)) return
    if (event.type === 'CommentPosted') await removeWords(clientId)
    else if (event.type === 'PostWritten') await removePost(idIn(stream), by)
    else if (event.type === 'SampleFiguresAdded') await commands.sample(clientId, { type: 'RemoveSampleFigures' }, by)
    else await removeAccount(clientId, event.data.accountId, by)
  }

  return {
    async start() {
      const checkpoints = await records.table<Checkpoint>({ table: 'checkpoints' })
      let position = (await checkpoints.get('farewell'))?.record.position ?? null
      const onError = (error: unknown) =>
        log.warn({ err: error }, 'Could not write the checkpoint of the client cleanup')
      const delayed = new DelayedCheckpoint(checkpoints, 'farewell', checkpointDelayMs, onError)
      checkpoint = delayed
      const moveTo = (passed: Position) => {
        position = passed
        // The checkpoint stays before an event that is set aside: after a restart it is handled again.
        if (setAside.size === 0) delayed.moveTo(passed)
      }
      const handleOrSetAside = async (event: Recorded<HandledEvent>) => {
        try {
          await handle(event)
        } catch (error) {
          if (!isUnreadable(error) || setAside.size >= maxSetAside) throw error
          const { stream, position: at } = event
          setAside.set(at, event)
          log.error({ err: error, stream, position: at }, 'Could not clean up after an event; set aside for later')
        }
      }
      const retrySetAside = async (signal: AbortSignal) => {
        for (const [at, event] of setAside) {
          if (signal.aborted) return
          try {
            await handle(event)
          } catch (error) {
            if (isUnreadable(error)) continue
            throw error
          }
          setAside.delete(at)
          if (setAside.size === 0 && position !== null) delayed.moveTo(position)
        }
      }
      const round = async (signal: AbortSignal) => {
        const onPassed = async (passed: Position) => moveTo(passed)
        for await (const batch of events.subscribe(position, filter, signal, onPassed)) {
          for (const stored of batch) {
            if (signal.aborted) return
            await handleOrSetAside(recorded(stored) as Recorded<HandledEvent>)
            moveTo(stored.position)
          }
        }
      }
      const onFailure = (error: unknown) =>
        log.error({ err: error }, 'Could not clean up after a removed client; retrying')
      loop = startLoop({ everyMs: retryMs, round, onError: onFailure })
      retries = startLoop({ everyMs: retrySetAsideMs, round: retrySetAside, onError: onFailure })
    },
    async stop() {
      await Promise.all([loop?.stop(), retries?.stop()])
      await checkpoint?.write().catch((error: unknown) => {
        log.warn({ err: error }, 'Could not write the checkpoint of the client cleanup')
      })
    },
  }
}

const isUnreadable = (error: unknown) => error instanceof UnknownEvent || error instanceof UnreadableEvent

const idIn = (stream: string) => stream.slice(stream.indexOf('-') + 1)
