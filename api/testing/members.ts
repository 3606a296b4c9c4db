/** People who join an agency by an invitation. */
import { ApiClient } from '../http/client.ts'
import type { GivenRole } from '../contract/index.ts'
import type { Running } from '../composition/embedded.ts'

let counter = 0
export const guestEmail = () => `guest-${process.pid}-${(counter += 1)}@example.com`
export const guestPassword = 'correct horse'
export const tokenOf = (link: string): string => link.split('#')[1] ?? ''

export interface Guest {
  readonly caller: ApiClient
  readonly email: string
  readonly memberId: string
}

/** Invites a person, who creates an account and joins. */
export async function memberOf(
  server: Pick<Running, 'url'>,
  owner: ApiClient,
  role: GivenRole,
  clients: 'all' | readonly string[] = 'all',
): Promise<Guest> {
  const email = guestEmail()
  const { link } = await owner.callOrThrow('inviteMember', { body: { email, role, clients } })
  const caller = new ApiClient(server.url)
  await caller.callOrThrow('registerByInvitation', { body: { token: tokenOf(link), password: guestPassword } })
  const { me } = await caller.callOrThrow('getAgency')
  return { caller, email, memberId: me.memberId }
}
