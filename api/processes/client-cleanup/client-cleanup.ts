/**
 * The client cleanup: deletes a removed client's posts, accounts, tokens and sample figures. It follows the log, which
 * also shows what is added after the removal. The posts from before it are found in the view of all streams, once that
 * has the removal: searching the log for them would read every post of the installation.
 */
import type { Logger } from 'pino'
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { ClientEvent } from '../../../domain/client/events.ts'
import type { Position, Recorded } from '../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import { StoreUnavailable, type EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import type { SampleEvent } from '../../../domain/sample/events.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AppendedEvent, CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { deleteKeysIfDisconnected, readableKeys } from '../../networks/disconnect.ts'
import { giveBack } from '../../networks/give-back.ts'
import type { Networks } from '../../networks/port.ts'
import type { Vault } from '../../networks/vault.ts'
import type { Records } from '../../records/port.ts'
import { startLoop, type Loop } from '../../core/loop.ts'
import type { WaitFor } from '../../core/read-your-writes.ts'
import { moveOn, type Checkpoint } from '../checkpoint.ts'

export interface ClientCleanupPorts {
  readonly commands: Commands
  readonly events: Pick<EventStore, 'subscribe'>
  readonly vault: Vault
  readonly networks: Networks
  readonly records: Records
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
  AgencyEvent | ClientEvent | PostEvent | SampleEvent,
  {
    type:
      | 'ClientRemoved'
      | 'PostWritten'
      | 'SocialAccountAdded'
      | 'SocialAccountConnected'
      | 'SocialAccountDisconnected'
      | 'SampleFiguresAdded'
  }
>

const handledTypes: readonly HandledEvent['type'][] = [
  'ClientRemoved',
  'PostWritten',
  'SocialAccountAdded',
  'SocialAccountConnected',
  'SocialAccountDisconnected',
  'SampleFiguresAdded',
]
const retryMs = 1_000
const postsAtOnce = 16
const viewWithinMs = 10_000

export function createClientCleanup({
  commands,
  events,
  vault,
  networks,
  records,
  log,
  views,
  waitFor,
}: ClientCleanupPorts): ClientCleanup {
  const filter = { names: catalogue.namesOf(handledTypes) }
  let loop: Loop | null = null

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

  const removeAll = async (clientId: string, removal: AppendedEvent, by: CommandContext) => {
    const { state: client } = await commands.loadClient(clientId)
    for (const accountId of Object.keys(client.accounts)) await removeAccount(clientId, accountId, by)
    await commands.sample(clientId, { type: 'RemoveSampleFigures' }, by)
    if (!(await waitFor([removal], viewWithinMs)))
      throw new StoreUnavailable(`The view of the streams lags behind the removal of client ${clientId}`)
    const posts: string[] = []
    const remove = () => Promise.all(posts.splice(0).map((stream) => removePost(idIn(stream), by)))
    for await (const { item } of views.streams.each({ where: { clientId, kind: 'post' } })) {
      if (item.lastType !== 'PostDeleted') posts.push(item.id)
      if (posts.length === postsAtOnce) await remove()
    }
    await remove()
  }

  const handle = async ({ stream, metadata, revision, position, ...event }: Recorded<HandledEvent>): Promise<void> => {
    const { agencyId, correlationId, eventId: causationId } = metadata
    const by: CommandContext = { actor: { type: 'process', id: 'farewell' }, agencyId, correlationId, causationId }
    if (event.type === 'ClientRemoved')
      return removeAll(event.data.clientId, { type: event.type, stream, revision, position }, by)
    const clientId = metadata.clientId ?? ''
    if (event.type === 'SocialAccountDisconnected')
      return void (await deleteKeysIfDisconnected(
        { commands, vault, networks, log },
        { accountId: event.data.accountId, clientId },
      ))
    if (await onRoster(agencyId, clientId)) return
    if (event.type === 'PostWritten') await removePost(idIn(stream), by)
    else if (event.type === 'SampleFiguresAdded') await commands.sample(clientId, { type: 'RemoveSampleFigures' }, by)
    else await removeAccount(clientId, event.data.accountId, by)
  }

  return {
    async start() {
      const checkpoints = await records.table<Checkpoint>({ table: 'checkpoints' })
      let position = (await checkpoints.get('farewell'))?.record.position ?? null
      const round = async (signal: AbortSignal) => {
        const onPassed = (passed: Position) => {
          position = passed
          return moveOn(checkpoints, { id: 'farewell', position })
        }
        for await (const batch of events.subscribe(position, filter, signal, onPassed)) {
          for (const stored of batch) {
            if (signal.aborted) return
            await handle(recorded(stored) as Recorded<HandledEvent>)
            position = stored.position
          }
          if (position !== null) await moveOn(checkpoints, { id: 'farewell', position })
        }
      }
      loop = startLoop({
        everyMs: retryMs,
        round,
        onError: (error) => log.error({ err: error }, 'Could not clean up after a removed client; retrying'),
      })
    },
    async stop() {
      await loop?.stop()
    },
  }
}

const idIn = (stream: string) => stream.slice(stream.indexOf('-') + 1)
