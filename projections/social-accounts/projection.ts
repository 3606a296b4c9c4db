import type { ClientEvent } from '../../domain/client/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { socialAccountView } from './view.ts'

type AccountEvent = Extract<ClientEvent, { type: `SocialAccount${string}` }>

const untroubled = { endsAt: null, lostBecause: null, pausedUntil: null, pausedBecause: null } as const

export const socialAccountsProjection = projection<AccountEvent>()({
  name: 'social-accounts',
  version: 2,
  view: socialAccountView,
  indexes: [['clientId', 'createdAt'], ['isConnected'], ['agencyId']],
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
      ...untroubled,
      network: null,
      createdAt: metadata.at,
    }),
    SocialAccountRenamed: (account, { data: { accountName, accountUrl } }) =>
      account && { ...account, accountName, accountUrl },
    SocialAccountRemoved: () => null,
    SocialAccountConnected: (account, { data }) =>
      account
        ? { ...account, ...untroubled, isConnected: true, network: data.network, endsAt: data.endsAt ?? null }
        : null,
    SocialAccountConnectionRenewed: (account, { data }) => account && { ...account, endsAt: data.endsAt },
    SocialAccountConnectionLost: (account, { data }) =>
      account && { ...account, ...untroubled, isConnected: false, lostBecause: data.cause },
    SocialAccountPaused: (account, { data }) =>
      account && { ...account, pausedUntil: data.until, pausedBecause: data.cause },
    // A removed client's accounts are deleted; a disconnected account stays, so that its posts still show a name.
    SocialAccountDisconnected: (account, { data }) =>
      account && data.because === 'asked' ? { ...account, ...untroubled, isConnected: false, network: null } : null,
  },
})
