/** An agency with people, to be carried to another place: moved, backed up or restored. */
import { expect, vi } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { Browser, password } from '../features/auth/test/helpers.ts'
import { codeOf, personWithApp } from '../features/auth/test/second-factor.ts'
import type { ApiClient } from '../http/client.ts'
import { guestEmail, tokenOf } from './members.ts'
import type { TestServer } from './server.ts'

export interface KeptTeam {
  /** A writer with an agency of their own, whose session works in the owner's, and who has an authenticator app. */
  readonly writer: Browser
  /** What the owner sees of people, roles, invitations with their letters, and assignments. */
  seenBy(owner: ApiClient): Promise<object>
  /** The writer signs in with password and code, and gets back the role and clients. */
  signsIn(there: { readonly url: string; readonly clock: TestServer['clock'] }): Promise<void>
}

export async function keptTeam(
  server: TestServer,
  owner: ApiClient,
  { clientId, accountId }: { readonly clientId: string; readonly accountId: string },
): Promise<KeptTeam> {
  const invite = async (email: string, role: string, clients: 'all' | string[]) =>
    owner.callOrThrow('inviteMember', { body: { email, role, clients } })
  const { browser: writer, email, secret } = await personWithApp(server)
  await writer.callOrThrow('openAgency', { body: { name: 'Own Star', email } })
  const { link } = await invite(email, 'viewer', 'all')
  await writer.callOrThrow('acceptInvitation', { body: { token: tokenOf(link) } })
  const { memberId } = (await writer.callOrThrow('getAgency')).me
  const role = { role: 'writer', clients: [clientId] }
  await owner.callOrThrow('changeMember', { params: { id: memberId }, body: role })
  const body = { socialAccountId: accountId, content: 'For the writer' }
  const { id } = await owner.callOrThrow('writePost', { params: { id: clientId }, body })
  await owner.callOrThrow('changePost', { params: { id }, body: { assignedTo: memberId } })
  await invite(guestEmail(), 'manager', [clientId])
  await vi.waitUntil(
    async () => (await owner.callOrThrow('getTeam')).invitations.every(({ letter }) => letter === 'sent'),
    patience,
  )
  return {
    writer,
    async seenBy(by) {
      const { members, ...team } = await by.callOrThrow('getTeam')
      const posts = await by.tellAll('listAllPosts', { query: { assigned: memberId } })
      return {
        ...team,
        members: members.map(({ lastSeenAt: _, ...member }) => member),
        assigned: posts.map((post) => [post.id, post.assignedTo]),
      }
    },
    async signsIn(there) {
      const browser = new Browser(there.url)
      expect(await browser.signIn(email, password)).toBe(401)
      // The next code: the one of now may be the one that confirmed the app.
      await browser.callOrThrow('completeSignIn', { body: { code: codeOf(there, secret, 1) } })
      const agencies = await browser.callOrThrow('listAgencies')
      expect(agencies.map(({ name, role: each }) => [name, each]).toSorted()).toEqual([
        ['North Star', 'writer'],
        ['Own Star', 'owner'],
      ])
    },
  }
}
