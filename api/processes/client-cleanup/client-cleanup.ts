/**
 * The client cleanup: deletes a removed client's posts, accounts, tokens and sample figures. It reads the log, not the
 * views: a view may lag behind, and the log also shows what is added after the removal.
 */
import type { Logger } from 'pino'
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { ClientEvent } from '../../../domain/client/events.ts'
import type { Recorded } from '../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import type { SampleEvent } from '../../../domain/sample/events.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { giveBack } from '../../networks/give-back.ts'
import type { Networks } from '../../networks/port.ts'
import { VaultError } from '../../networks/token-cipher.ts'
import type { Vault } from '../../networks/vault.ts'
import type { Records } from '../../records/port.ts'
import { lastIn } from '../../core/aggregates.ts'
import { startLoop, type Loop } from '../../core/loop.ts'
import { moveOn, type Checkpoint } from '../checkpoint.ts'

export interface ClientCleanupPorts {
  readonly commands: Commands
  readonly events: EventStore
  readonly vault: Vault
  readonly networks: Networks
  readonly records: Records
  readonly log: Logger
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

export function createClientCleanup({
  commands,
  events,
  vault,
  networks,
  records,
  log,
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
    const connection = await vault.get(accountId).catch(unlessUnreadable)
    await vault.remove(accountId)
    if (account && connection)
      giveBack({ networks, log }, { accountId, platform: account.platform, network: account.network }, connection)
    await commands.client(clientId, { type: 'DisconnectSocialAccount', accountId, because: 'client-removed' }, by)
  }

  const removeAll = async (clientId: string, agencyId: string, by: CommandContext) => {
    const { state: client } = await commands.loadClient(clientId)
    for (const accountId of Object.keys(client.accounts)) await removeAccount(clientId, accountId, by)
    await commands.sample(clientId, { type: 'RemoveSampleFigures' }, by)
    const added = await lastIn(events, `agency-${agencyId}`, (event) => isAddition(event, clientId))
    for await (const batch of events.readAll(added?.position ?? null, { names: catalogue.namesOf(['PostWritten']) })) {
      const posts = batch.filter(({ metadata }) => metadata.clientId === clientId).map(({ stream }) => idIn(stream))
      for (let from = 0; from < posts.length; from += postsAtOnce) {
        await Promise.all(posts.slice(from, from + postsAtOnce).map((postId) => removePost(postId, by)))
      }
    }
  }

  const handle = async ({ stream, metadata, ...event }: Recorded<HandledEvent>): Promise<void> => {
    const { agencyId, correlationId, eventId: causationId } = metadata
    const by: CommandContext = { actor: { type: 'process', id: 'farewell' }, agencyId, correlationId, causationId }
    if (event.type === 'ClientRemoved') return removeAll(event.data.clientId, agencyId, by)
    const clientId = metadata.clientId ?? ''
    if (event.type === 'SocialAccountDisconnected')
      return void (await vault.removeUpTo(event.data.accountId, metadata.at))
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
        for await (const batch of events.subscribe(position, filter, signal)) {
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

const isAddition = (event: Recorded, clientId: string): boolean => {
  if (event.type !== 'ClientAdded') return false
  const { data } = event as Recorded<Extract<AgencyEvent, { type: 'ClientAdded' }>>
  return data.clientId === clientId
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof VaultError) return null
  throw error
}

const idIn = (stream: string) => stream.slice(stream.indexOf('-') + 1)
