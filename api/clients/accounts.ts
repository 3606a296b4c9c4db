import { v7 as uuidv7 } from 'uuid'
import type { Views } from '../../projections/registry.ts'
import { socialAccountsProjection } from '../../projections/social-accounts/projection.ts'
import type { SocialAccountView } from '../../projections/social-accounts/view.ts'
import { idFromKey } from '../agency/id.ts'
import type { SocialAccount } from '../contract/index.ts'
import type { Newest } from '../from-log.ts'
import type { Handler } from '../handle.ts'
import { accepted, type Handlers, type OfAgency } from '../http/handler.ts'
import { notFound } from '../http/problem.ts'
import type { Connect, Finished } from '../networks/connect.ts'
import type { Vault } from '../networks/vault.ts'
import { mustHaveClient } from './routes.ts'

export interface AccountPorts {
  readonly handler: Handler
  readonly views: Views
  readonly newest: Newest
  readonly connect: Connect
  readonly vault: Vault
  /** Where this server is reached from a browser. */
  readonly publicUrl: string
}

const replyOf = ({ agencyId: _, ...account }: SocialAccountView): SocialAccount => account

type Names =
  | 'listSocialAccounts'
  | 'addSocialAccount'
  | 'connectSocialAccount'
  | 'disconnectSocialAccount'
  | 'oauthCallback'

export function accountHandlers(ports: AccountPorts): Handlers<Names> {
  const { handler, views, newest, connect, vault, publicUrl } = ports

  async function mustHaveAccount({ agencyId, loadAgency }: OfAgency, accountId: string): Promise<SocialAccountView> {
    const account = await views.socialAccounts.get(accountId)
    const known = account?.agencyId === agencyId && account.clientId in (await loadAgency()).clients
    if (!known) throw notFound('This social account')
    return account
  }

  return {
    async listSocialAccounts(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const found = await views.socialAccounts.all({ where: { clientId }, sort: { field: 'createdAt', order: 'asc' } })
      return { body: found.map(replyOf) }
    },

    async addSocialAccount(ask) {
      const { agencyId, by, body, params, idempotencyKey, visible } = ask
      const clientId = params.id
      await mustHaveClient(ask, clientId)
      const accountId = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'addSocialAccount', idempotencyKey)
      const command = { type: 'AddSocialAccount', accountId, ...body } as const
      const { landed } = accepted(await handler.client(clientId, command, by))
      const stream = `client-${clientId}`
      const sought = { id: accountId, view: views.socialAccounts, projection: socialAccountsProjection, stream }
      const account = await newest(sought, await visible(landed))
      if (!account) throw notFound('This social account')
      return { body: replyOf(account) }
    },

    async connectSocialAccount(ask) {
      const { id: accountId, clientId, platform } = await mustHaveAccount(ask, ask.params.id)
      const { agencyId, session } = ask
      const redirectUri = `${publicUrl}/api/oauth/${platform}/callback`
      const asking = { accountId, clientId, agencyId, userId: session.userId, sessionId: session.id, redirectUri }
      const begun = await connect.begin(asking)
      return { redirect: begun.kind === 'redirect' ? begun.url : backTo(clientId, begun.kind, accountId) }
    },

    async oauthCallback({ query: { state = '', code, error }, session, visible }) {
      if (!session) return { redirect: '/' }
      const done = await connect.finish({ state, code, error, sessionId: session.id })
      if (done.kind === 'expired') return { redirect: '/clients?connect=expired' }
      if (done.kind === 'connected') await visible(done.landed)
      return { redirect: backTo(done.clientId, done.kind, done.accountId) }
    },

    async disconnectSocialAccount(ask) {
      const { id: accountId, clientId } = await mustHaveAccount(ask, ask.params.id)
      const { by, visible } = ask
      const command = { type: 'DisconnectSocialAccount', accountId, because: 'asked' } as const
      const { landed } = accepted(await handler.client(clientId, command, by))
      await vault.remove(accountId)
      await visible(landed)
      return {}
    },
  }
}

/** What came of it goes back as a word, not as a sentence: an address must not put words into our mouth. */
const backTo = (clientId: string, connect: Exclude<Finished['kind'], 'expired'>, account: string) =>
  `/clients/${clientId}?${new URLSearchParams({ tab: 'accounts', connect, account })}`
