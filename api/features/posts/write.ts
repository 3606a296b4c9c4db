/** Writing a post: a draft, or submitted for review or scheduled at once. */
import { v7 as uuidv7 } from 'uuid'
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { Reply, Routes } from '../../contract/index.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { mustHaveClient } from '../clients/routes.ts'
import { generationOf } from './generation.ts'

interface Ports {
  readonly commands: Commands
  /** The post as the answer shows it, with its ETag. */
  readonly shown: (postId: string, visible: boolean) => Promise<{ body: Reply<Routes['writePost']>; etag: string }>
}

export const writeHandlers = ({ commands, shown }: Ports): Handlers<'writePost'> => ({
  async writePost(ask) {
    const { agencyId, by, body, params, idempotencyKey, visible } = ask
    const clientId = params.id
    await mustHaveClient(ask, clientId)
    const { state: client } = await commands.loadClient(clientId, ask.aggregates)
    const account = client.accounts[body.socialAccountId]
    if (!account) throw notFound('This social account')
    const { content, imageUrl, scheduledFor } = body
    const generation = await generationOf(commands, clientId, body, ask)
    const postId = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'writePost', idempotencyKey)
    const write: PostCommand = {
      type: 'WritePost',
      postId,
      clientId,
      accountId: body.socialAccountId,
      platform: account.platform,
      content,
      imageUrl,
      scheduledFor,
      as: body.status,
      generation,
      plan: null,
    }
    const { appendedEvents } = accepted(await commands.post(postId, write, by, ask.aggregates))
    return shown(postId, await visible(appendedEvents))
  },
})
