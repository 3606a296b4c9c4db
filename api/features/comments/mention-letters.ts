/** Letters to members who are mentioned in a comment: one for each comment and member, without any of its words. */
import type { Agency } from '../../../domain/agency/state.ts'
import { isConfirmed, type Users } from '../auth/users.ts'
import type { Message } from '../mail/port.ts'
import { onOneLine } from '../mail/on-one-line.ts'
import type { PostOffice } from '../mail/post-office.ts'

export interface MentionPorts {
  readonly users: Pick<Users, 'get' | 'nameOf'>
  readonly postOffice: Pick<PostOffice, 'tell'>
  readonly publicUrl: string
}

interface Mention {
  readonly postId: string
  readonly commentId: string
  readonly clientId: string
  readonly authorId: string
  readonly memberIds: readonly string[]
}

const mentionMail = (to: string, author: string, client: string, link: string): Message => ({
  to,
  subject: `${onOneLine(author)} mentioned you in a comment`,
  text: `${onOneLine(author)} mentioned you in a comment on a post of ${onOneLine(client)}.

Read it here:
${link}
`,
})

/** Only confirmed addresses get one: no other person reads who works for which client. */
export const mentionLetters =
  ({ users, postOffice, publicUrl }: MentionPorts) =>
  async ({ team, clients }: Agency, { postId, commentId, clientId, authorId, memberIds }: Mention): Promise<void> => {
    const author = await users.nameOf(authorId)
    const link = `${publicUrl}/content?client=${clientId}`
    for (const memberId of memberIds) {
      const userId = team.members[memberId]?.userId
      const user = userId === undefined || userId === authorId ? null : await users.get(userId)
      if (!user || !isConfirmed(user)) continue
      const message = mentionMail(user.email, author, clients[clientId]?.name ?? '', link)
      await postOffice.tell({
        kind: 'mention',
        about: [postId, commentId, memberId],
        userId: user.id,
        content: { message },
      })
    }
  }
