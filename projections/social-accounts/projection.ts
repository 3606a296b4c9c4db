import type { ClientEvent } from '../../domain/client/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { socialAccountView } from './view.ts'

type AccountEvent = Extract<
  ClientEvent,
  { type: 'SocialAccountAdded' | 'SocialAccountConnected' | 'SocialAccountDisconnected' }
>

export const socialAccountsProjection = projection<AccountEvent>()({
  name: 'social-accounts',
  version: 1,
  view: socialAccountView,
  indexes: [['clientId', 'createdAt']],
  keys: ({ data }) => [data.accountId],
  on: {
    SocialAccountAdded: (_, { stream, data, metadata }) => ({
      id: data.accountId,
      agencyId: metadata.agencyId,
      clientId: idOf(stream),
      platform: data.platform,
      accountName: data.accountName,
      accountUrl: data.accountUrl,
      isConnected: false,
      network: null,
      createdAt: metadata.at,
    }),
    SocialAccountConnected: (account, { data }) =>
      account ? { ...account, isConnected: true, network: data.network } : null,
    // A removed client's accounts go; an account that was only disconnected stays, so that its posts keep their name.
    SocialAccountDisconnected: (account, { data }) =>
      account && data.because === 'asked' ? { ...account, isConnected: false, network: null } : null,
  },
})
