/** Decides which networks are live and which use the sandbox. */
import type { Clock } from '../core/clock.ts'
import { absentNetwork } from './absent.ts'
import { halfPairs, type NetworkSettings } from './config.ts'
import { facebook } from './facebook/connector.ts'
import { facebookDefaults } from './facebook/settings.ts'
import { instagram } from './instagram/connector.ts'
import { instagramDefaults } from './instagram/settings.ts'
import { defaultTimeoutMs, type Setup } from './network-client.ts'
import { linkedin } from './linkedin/connector.ts'
import { linkedinDefaults } from './linkedin/settings.ts'
import type { Network, Networks } from './port.ts'
import { xDefaults } from './x/settings.ts'
import { x } from './x/connector.ts'

export interface NetworksOptions {
  readonly settings: NetworkSettings
  /** Replaces networks that aren't live; null: such a network reports that it is not set up. */
  readonly sandbox: Networks | null
  readonly clock: Clock
  readonly timeoutMs?: number
}

/** An app's id and secret make its network live. @throws Error when only one of the two is set */
export function createNetworks({ settings, sandbox, clock, timeoutMs = defaultTimeoutMs }: NetworksOptions): Networks {
  const problems = halfPairs(settings)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const setup: Setup = { mode: 'live', clock, timeoutMs }
  const live = liveNetworks(settings, setup)
  return {
    facebook: live.facebook ?? sandbox?.facebook ?? absentNetwork('facebook'),
    instagram: live.instagram ?? sandbox?.instagram ?? absentNetwork('instagram'),
    twitter: live.twitter ?? sandbox?.twitter ?? absentNetwork('twitter'),
    linkedin: live.linkedin ?? sandbox?.linkedin ?? absentNetwork('linkedin'),
  }
}

function liveNetworks(env: NetworkSettings, setup: Setup): { readonly [Platform in keyof Networks]: Network | null } {
  const { FACEBOOK_APP_ID, FACEBOOK_APP_SECRET, INSTAGRAM_APP_ID, INSTAGRAM_APP_SECRET } = env
  const { X_CLIENT_ID, X_CLIENT_SECRET, LINKEDIN_CLIENT_ID, LINKEDIN_CLIENT_SECRET } = env
  const app = (clientId: string | undefined, clientSecret: string | undefined) =>
    clientId === undefined || clientSecret === undefined ? null : { ...setup, clientId, clientSecret }

  const forFacebook = app(FACEBOOK_APP_ID, FACEBOOK_APP_SECRET)
  const forInstagram = app(INSTAGRAM_APP_ID, INSTAGRAM_APP_SECRET)
  const forX = app(X_CLIENT_ID, X_CLIENT_SECRET)
  const forLinkedIn = app(LINKEDIN_CLIENT_ID, LINKEDIN_CLIENT_SECRET)
  return {
    facebook:
      forFacebook &&
      facebook({
        ...facebookDefaults,
        ...forFacebook,
        dialogUrl: env.FACEBOOK_DIALOG_URL ?? facebookDefaults.dialogUrl,
        graphUrl: env.FACEBOOK_GRAPH_URL ?? facebookDefaults.graphUrl,
        version: env.FACEBOOK_API_VERSION ?? facebookDefaults.version,
      }),
    instagram:
      forInstagram &&
      instagram({
        ...instagramDefaults,
        ...forInstagram,
        wwwUrl: env.INSTAGRAM_WWW_URL ?? instagramDefaults.wwwUrl,
        apiUrl: env.INSTAGRAM_API_URL ?? instagramDefaults.apiUrl,
        graphUrl: env.INSTAGRAM_GRAPH_URL ?? instagramDefaults.graphUrl,
        version: env.INSTAGRAM_API_VERSION ?? instagramDefaults.version,
      }),
    twitter:
      forX &&
      x({
        ...xDefaults,
        ...forX,
        authorizeUrl: env.X_AUTHORIZE_URL ?? xDefaults.authorizeUrl,
        apiUrl: env.X_API_URL ?? xDefaults.apiUrl,
      }),
    linkedin:
      forLinkedIn &&
      linkedin({
        ...linkedinDefaults,
        ...forLinkedIn,
        authorizeUrl: env.LINKEDIN_WWW_URL ?? linkedinDefaults.authorizeUrl,
        wwwUrl: env.LINKEDIN_WWW_URL ?? linkedinDefaults.wwwUrl,
        apiUrl: env.LINKEDIN_API_URL ?? linkedinDefaults.apiUrl,
        version: env.LINKEDIN_VERSION ?? linkedinDefaults.version,
        scope: env.LINKEDIN_SCOPE ?? linkedinDefaults.scope,
      }),
  }
}
