/** Somebody with an agency, a client and a connected account, on a server in a process of its own. */
import { Caller, connect } from '../api/http/client.ts'

export async function busyAgency(url: string) {
  const caller = new Caller(url)
  await caller.tell('register', { body: { email: 'reader@example.com', password: 'correct horse' } })
  const { id: agencyId } = await caller.tell('openAgency', {
    body: { name: 'North Star', email: 'hello@northstar.example' },
  })
  const { id: clientId } = await caller.tell('addClient', { body: { name: 'Blue Cup' } })
  const { id: accountId } = await caller.tell('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'facebook', accountName: 'Blue Cup' },
  })
  await connect(caller, accountId)
  return { caller, agencyId, clientId, accountId }
}
