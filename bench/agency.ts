/** An agency with a client and a connected account, on a server in a process of its own. */
import { ApiClient, connect } from '../api/http/client.ts'

export async function busyAgency(url: string) {
  const caller = new ApiClient(url)
  await caller.callOrThrow('register', { body: { email: 'reader@example.com', password: 'correct horse' } })
  const { id: agencyId } = await caller.callOrThrow('openAgency', {
    body: { name: 'North Star', email: 'hello@northstar.example' },
  })
  const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })
  const { id: accountId } = await caller.callOrThrow('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'facebook', accountName: 'Blue Cup' },
  })
  await connect(caller, accountId)
  return { caller, agencyId, clientId, accountId }
}
