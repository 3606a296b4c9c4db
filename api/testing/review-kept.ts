/** A client's people and what was said about a post, to be carried to another place: moved, backed up or restored. */
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { later } from '../core/clock.ts'
import { ApiClient } from '../http/client.ts'
import type { TestServer } from './server.ts'

export interface KeptReview {
  /** What a member sees of contacts, links and the discussion, with its words. */
  seenBy(member: ApiClient): Promise<object>
  /** The reviewer's link works there: it shows the post and its comments, and takes another one. */
  worksAt(url: string): Promise<void>
}

export async function keptReview(
  server: TestServer,
  owner: ApiClient,
  { clientId, accountId }: { readonly clientId: string; readonly accountId: string },
): Promise<KeptReview> {
  const params = { id: clientId }
  const { id: contactId } = await owner.callOrThrow('addContact', {
    params,
    body: { name: 'Lea Lind', email: 'lea@bluecup.example' },
  })
  const scheduledFor = later(server.clock.now(), 7 * 86_400_000)
  const { id } = await owner.callOrThrow('writePost', {
    params,
    body: { socialAccountId: accountId, content: 'Fresh buns', status: 'pending', scheduledFor },
  })
  const { url } = await owner.callOrThrow('issueReviewLink', {
    params,
    body: {
      contacts: [contactId],
      anyone: true,
      scope: { kind: 'posts', postIds: [id] },
      may: ['approve', 'comment', 'suggest'],
      expiresAt: later(server.clock.now(), 30 * 86_400_000),
    },
  })
  const token = url?.split('#')[1] ?? ''
  const nora = new ApiClient(server.url)
  const { session } = await nora.callOrThrow('nameReviewer', { body: { token, name: 'Nora Lind' } })
  const asked = { token, session, postId: id }
  const { textHash } = await owner.callOrThrow('listComments', { params: { id } })
  const anchor = { kind: 'range', from: 0, to: 5, contentHash: textHash } as const
  const suggestion = { text: 'Warm buns', contentHash: textHash }
  const first = uuidv7()
  await nora.callOrThrow('commentAsReviewer', {
    body: { ...asked, commentId: first, text: 'Warm ones', anchor, suggestion },
  })
  const reply = { commentId: uuidv7(), parentId: first, text: 'We will' }
  await owner.callOrThrow('postComment', { params: { id }, body: reply })
  await owner.callOrThrow('postComment', { params: { id }, body: { commentId: uuidv7(), text: 'Between us' } })

  const texts = ['Warm ones', 'We will']
  return {
    async seenBy(member) {
      const { imageUrl: _, ...discussion } = await member.callOrThrow('listComments', { params: { id } })
      const said = discussion.comments.map(({ text, author }) => [text, author.kind])
      expect(said).toEqual([
        ['Warm ones', 'reviewer'],
        ['We will', 'member'],
        ['Between us', 'member'],
      ])
      return {
        discussion,
        contacts: await member.callOrThrow('listContacts', { params }),
        links: await member.callOrThrow('listReviewLinks', { params }),
      }
    },
    async worksAt(there) {
      const browser = new ApiClient(there)
      const seen = await browser.callOrThrow('lookAtReview', { body: { token } })
      expect(seen).toMatchObject({ state: 'open', posts: [{ id, content: 'Fresh buns', comments: 2 }] })
      const again = await browser.callOrThrow('lookAtReview', { body: { token, session } })
      expect(again).toMatchObject({ you: { name: 'Nora Lind' } })
      const { comments } = await browser.callOrThrow('listReviewComments', { body: asked })
      expect(comments.map(({ text }) => text)).toEqual(texts)
      expect(comments[0]).toMatchObject({ isYours: true, quote: 'Fresh', suggestion: { text: 'Warm buns' } })
      const body = { ...asked, commentId: uuidv7(), parentId: first, text: 'Thank you' }
      expect(await browser.callOrThrow('commentAsReviewer', { body })).toMatchObject({ isYours: true })
    },
  }
}
