/** Writing posts: drafts, or submitted for review or scheduled at once; one, or one text for several accounts. */
import { v7 as uuidv7 } from 'uuid'
import type { Client } from '../../../domain/client/state.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { Body, PostCard, Reply, Routes } from '../../contract/index.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { mustHaveClient } from '../clients/routes.ts'
import { generationOf } from './generation.ts'
import type { PostReader, ReaderOf } from './reader.ts'

interface Ports {
  readonly commands: Commands
  readonly readerOf: ReaderOf
  /** The post as the answer shows it, with its ETag. */
  readonly shown: (
    postId: string,
    visible: boolean,
    reader: PostReader,
  ) => Promise<{ body: Reply<Routes['writePost']>; etag: string }>
  readonly shownCard: (postId: string, visible: boolean, reader: PostReader) => Promise<PostCard>
}

type Write = Extract<PostCommand, { type: 'WritePost' }>
type NewPost = Omit<Body<Routes['writePost']>, 'generationId'> & Pick<Write, 'postId' | 'clientId' | 'generation'>

/** Null when the client has no such account. */
function writeOf(client: Client, { socialAccountId, status, ...post }: NewPost): Write | null {
  const account = client.accounts[socialAccountId]
  if (!account) return null
  return { type: 'WritePost', ...post, accountId: socialAccountId, platform: account.platform, as: status, plan: null }
}

export const writeHandlers = ({
  commands,
  readerOf,
  shown,
  shownCard,
}: Ports): Handlers<'writePost' | 'writePostGroup'> => ({
  async writePost(ask) {
    const { agencyId, by, body, params, idempotencyKey, visible } = ask
    const clientId = params.id
    await mustHaveClient(ask, clientId)
    const { state: client } = await commands.loadClient(clientId, ask.aggregates)
    if (!(body.socialAccountId in client.accounts)) throw notFound('This social account')
    const { generationId: _, ...post } = body
    const generation = await generationOf(commands, clientId, body, ask)
    const postId = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'writePost', idempotencyKey)
    const write = writeOf(client, { ...post, postId, clientId, generation })
    if (!write) throw notFound('This social account')
    const { appendedEvents } = accepted(await commands.post(postId, write, by, ask.aggregates))
    return shown(postId, await visible(appendedEvents), await readerOf(ask))
  },

  async writePostGroup(ask) {
    const { agencyId, by, body, params, idempotencyKey, visible } = ask
    const clientId = params.id
    await mustHaveClient(ask, clientId)
    const key = idempotencyKey ?? uuidv7()
    const groupId = idFromKey(agencyId, 'writePostGroup', key)
    const { posts, generationId, ...shared } = body

    const written: Written[] = []
    async function writeFor({ socialAccountId, content = body.content }: (typeof posts)[number]): Promise<Written> {
      // A scope for each post: accounts change, and a slot that a post took is taken for the next.
      const aggregates = commands.newScope()
      const { state: client } = await commands.loadClient(clientId, aggregates)
      const generation = await generationOf(commands, clientId, { generationId, content }, { agencyId, aggregates })
      const postId = idFromKey(agencyId, 'writePostGroup', `${key} ${socialAccountId}`)
      const write = writeOf(client, { ...shared, socialAccountId, content, postId, clientId, generation })
      if (!write) return { socialAccountId, postId: null, sentence: notFound('This social account').message }
      const result = await commands.post(postId, { ...write, groupId }, by, aggregates)
      if ('refused' in result) {
        // Nothing can be written then, so the answer is one refusal instead of one for each account. A standing that
        // ends between two accounts must not hide the posts that were written before.
        const isFirst = written.every(({ postId }) => postId === null)
        if (isFirst && result.refused.reason === 'subscription-needed') throw problemOf(result.refused)
        return { socialAccountId, postId: null, sentence: problemOf(result.refused).message }
      }
      if (result.state.scheduledFor !== shared.scheduledFor) await visible(result.appendedEvents)
      return { socialAccountId, postId, sentence: null, appendedEvents: result.appendedEvents }
    }

    // One after the other, because they may compete for the same slots.
    const byAccount = new Map(posts.map((post) => [post.socialAccountId, post]))
    for (const post of byAccount.values()) written.push(await writeFor(post))
    const isVisible = await visible(written.flatMap(({ appendedEvents = [] }) => appendedEvents))
    const reader = await readerOf(ask)
    const results = written.map(async ({ socialAccountId, postId, sentence }) => {
      const post = postId === null ? null : await shownCard(postId, isVisible, reader)
      return { socialAccountId, done: post !== null, sentence, post }
    })
    return { body: { groupId, results: await Promise.all(results) } }
  },
})

interface Written {
  readonly socialAccountId: string
  readonly postId: string | null
  readonly sentence: string | null
  readonly appendedEvents?: readonly AppendedEvent[]
}
