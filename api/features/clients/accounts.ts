import type { Logger } from 'pino'
import type { Platform } from '../../../domain/core/values.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Views } from '../../../projections/registry.ts'
import { socialAccountsProjection } from '../../../projections/social-accounts/projection.ts'
import type { SocialAccountView } from '../../../projections/social-accounts/view.ts'
import { whereFor } from '../../core/member-scope.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { pageBounds, pageOf } from '../../http/paging.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Connect, ConnectRequest, Finished } from '../../networks/connect.ts'
import { disconnectAccount } from '../../networks/disconnect.ts'
import type { Networks } from '../../networks/port.ts'
import type { Vault } from '../../networks/vault.ts'
import { accountHealth } from './health.ts'
import { mustHaveClient } from './routes.ts'

export interface AccountPorts {
  readonly commands: Commands
  readonly views: Views
  readonly newest: Newest
  readonly connect: Connect
  readonly vault: Vault
  readonly networks: Networks
  readonly clock: Clock
  readonly log: Logger
  /** The server's public address. */
  readonly publicUrl: string
}

/** An account in trouble costs a count of its posts. */
const accountBounds = { ...pageBounds, items: 200 }

type Names =
  | 'listSocialAccounts'
  | 'listAllSocialAccounts'
  | 'addSocialAccount'
  | 'connectNewAccount'
  | 'changeSocialAccount'
  | 'removeSocialAccount'
  | 'connectSocialAccount'
  | 'disconnectSocialAccount'
  | 'oauthCallback'
  | 'listProfileChoices'
  | 'chooseProfile'

export function accountHandlers(ports: AccountPorts): Handlers<Names> {
  const { commands, views, newest, connect, publicUrl } = ports
  const healthOf = accountHealth(ports)

  async function mustHaveAccount({ agencyId, loadAgency }: OfAgency, accountId: string): Promise<SocialAccountView> {
    const account = await views.socialAccounts.get(accountId)
    const known = account?.agencyId === agencyId && account.clientId in (await loadAgency()).clients
    if (!known) throw notFound('This social account')
    return account
  }

  /** Sends the browser to the network, or back with the reason. */
  async function consent(
    { agencyId, session }: OfAgency,
    clientId: string,
    platform: Platform,
    target: ConnectRequest['target'],
  ) {
    // Checked before the consent, because the connection that follows it is never refused.
    const usedUp = await commands.ports.logBudget?.usedUp(agencyId)
    if (usedUp) throw problemOf(usedUp)
    const redirectUri = `${publicUrl}/api/oauth/${platform}/callback`
    const asking = { target, clientId, agencyId, userId: session.userId, sessionId: session.id, redirectUri }
    const begun = await connect.begin(asking)
    if (begun.kind === 'redirect') return { redirect: begun.url }
    return { redirect: backTo(clientId, begun.kind, 'accountId' in target ? target.accountId : undefined) }
  }

  return {
    async listSocialAccounts(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const found = await views.socialAccounts.all({ where: { clientId }, sort: { field: 'createdAt', order: 'asc' } })
      return { body: await Promise.all(found.map(healthOf)) }
    },

    async listAllSocialAccounts({ agencyId, me, loadAgency, query: { cursor } }) {
      const { clients } = await loadAgency()
      const found = views.socialAccounts.each({
        where: { ...whereFor(agencyId, me.clients) },
        ...(cursor !== undefined && { cursor }),
      })
      return pageOf(found, (account) => (account.clientId in clients ? healthOf(account) : null), accountBounds)
    },

    async addSocialAccount(ask) {
      const { agencyId, by, body, params, idempotencyKey, visible } = ask
      const clientId = params.id
      await mustHaveClient(ask, clientId)
      const accountId = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'addSocialAccount', idempotencyKey)
      const command = { type: 'AddSocialAccount', accountId, ...body } as const
      const { appendedEvents } = accepted(await commands.client(clientId, command, by))
      const stream = `client-${clientId}`
      const sought = { id: accountId, view: views.socialAccounts, projection: socialAccountsProjection, stream }
      const account = await newest(sought, await visible(appendedEvents))
      if (!account) throw notFound('This social account')
      return { body: await healthOf(account) }
    },

    async changeSocialAccount(ask) {
      const { id: accountId, clientId } = await mustHaveAccount(ask, ask.params.id)
      const command = { type: 'RenameSocialAccount', accountId, ...ask.body } as const
      const { appendedEvents } = accepted(await commands.client(clientId, command, ask.by))
      const stream = `client-${clientId}`
      const sought = { id: accountId, view: views.socialAccounts, projection: socialAccountsProjection, stream }
      const account = await newest(sought, await ask.visible(appendedEvents))
      if (!account) throw notFound('This social account')
      return { body: await healthOf(account) }
    },

    async removeSocialAccount(ask) {
      const { id: accountId, clientId, platform } = await mustHaveAccount(ask, ask.params.id)
      const where = { clientId, platform, socialAccountId: accountId }
      const isNamed = (await views.postCards.find({ where, limit: 1 })).length > 0
      const command = { type: 'RemoveSocialAccount', accountId, isNamed } as const
      const { appendedEvents } = accepted(await commands.client(clientId, command, ask.by))
      await ask.visible(appendedEvents)
      return {}
    },

    async connectNewAccount(ask) {
      const { id: clientId, platform } = ask.params
      await mustHaveClient(ask, clientId)
      return consent(ask, clientId, platform, { platform })
    },

    async connectSocialAccount(ask) {
      const { id: accountId, clientId, platform } = await mustHaveAccount(ask, ask.params.id)
      return consent(ask, clientId, platform, { accountId })
    },

    async oauthCallback({ params: { platform }, query: { state = '', code, error }, session, visible }) {
      if (!session) return { redirect: '/' }
      const done = await connect.finish({ platform, state, code, error, sessionId: session.id })
      if (done.kind === 'expired') return { redirect: '/clients?connect=expired' }
      if (done.kind === 'connected') await visible(done.appendedEvents)
      const choice = done.kind === 'choose' ? done.choiceId : undefined
      return { redirect: backTo(done.clientId, done.kind, done.accountId, choice) }
    },

    async listProfileChoices(ask) {
      // A new account is not added yet: session and agency prove that the choice is the user's.
      const { agencyId, params, session } = ask
      const choice = { agencyId, accountId: params.id, choiceId: params.choice, sessionId: session.id }
      const offered = await connect.choices(choice)
      if (!offered) throw notFound('This choice')
      return { body: [...offered] }
    },

    async chooseProfile(ask) {
      const { agencyId, params, session, body } = ask
      const choice = { agencyId, accountId: params.id, choiceId: params.choice, sessionId: session.id }
      // Another agency's account gets the same answer as an unknown one.
      if (!(await connect.choices(choice))) await mustHaveAccount(ask, params.id)
      const done = await connect.choose({ ...choice, remoteId: body.remoteId })
      if (done.kind !== 'connected') throw new Problem(409, 'choice-over', done.sentence)
      const sought = {
        id: done.accountId,
        view: views.socialAccounts,
        projection: socialAccountsProjection,
        stream: `client-${done.clientId}`,
      }
      const account = await newest(sought, await ask.visible(done.appendedEvents))
      if (!account) throw notFound('This social account')
      return { body: await healthOf(account) }
    },

    async disconnectSocialAccount(ask) {
      const { id: accountId, ...account } = await mustHaveAccount(ask, ask.params.id)
      const { appendedEvents } = accepted(await disconnectAccount(ports, { ...account, accountId }, ask.by))
      await ask.visible(appendedEvents)
      return {}
    },
  }
}

/**
 * The outcome goes back as a code, not as a sentence: a link must not be able to put words into the product's mouth.
 */
const backTo = (clientId: string, connect: Exclude<Finished['kind'], 'expired'>, account?: string, choice?: string) =>
  `/clients/${clientId}?${new URLSearchParams({
    tab: 'accounts',
    connect,
    ...(account !== undefined && { account }),
    ...(choice !== undefined && { choice }),
  })}`
