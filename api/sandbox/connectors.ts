/** The four connectors with the sandbox's URLs: the same code as for the real networks. */
import { systemClock, type Clock } from '../core/clock.ts'
import { facebook } from '../networks/facebook/connector.ts'
import { facebookDefaults } from '../networks/facebook/settings.ts'
import { instagram } from '../networks/instagram/connector.ts'
import { instagramDefaults } from '../networks/instagram/settings.ts'
import type { StartTimeout } from '../networks/http.ts'
import { defaultTimeoutMs } from '../networks/network-client.ts'
import { linkedin } from '../networks/linkedin/connector.ts'
import { communityScope, linkedinDefaults } from '../networks/linkedin/settings.ts'
import type { Networks } from '../networks/port.ts'
import { x } from '../networks/x/connector.ts'
import { xDefaults } from '../networks/x/settings.ts'
import { isFormerId } from './store/former.ts'

export interface SandboxAddress {
  /** The sandbox's URL for this process, e.g. `http://127.0.0.1:3000/sandbox`. */
  readonly baseUrl: string
  /** The sandbox's URL for a browser. */
  readonly publicBaseUrl: string
  /** Timeout of one response, in milliseconds. */
  readonly timeoutMs?: number
  /** How a timeout starts. Default: as a timer. */
  readonly startTimeout?: StartTimeout
  /** The sandbox's own clock, for the expiry of tokens. */
  readonly clock?: Clock
  /** Poll interval for processing on a network, in milliseconds. Default: short, because the sandbox is fast. */
  readonly pauseMs?: number
  /** Sent with each request of this process's own connectors, so that the sandbox recognizes them. */
  readonly headers?: Readonly<Record<string, string>>
  /** The requested LinkedIn scope. Default: everything that an approved app may request. */
  readonly linkedinScope?: string
}

const wholeScope = [...new Set(`${linkedinDefaults.scope} ${communityScope}`.split(' '))].join(' ')

export function sandboxNetworks(address: SandboxAddress): Networks {
  const {
    baseUrl,
    publicBaseUrl,
    timeoutMs = defaultTimeoutMs,
    startTimeout,
    clock = systemClock,
    pauseMs = 20,
    linkedinScope = wholeScope,
    headers = {},
  } = address
  const base = baseUrl.replace(/\/+$/, '')
  const pages = publicBaseUrl.replace(/\/+$/, '')
  // The sandbox accepts any app.
  const app = { clientId: 'sandbox', clientSecret: 'sandbox' }
  const setup = { ...app, mode: 'sandbox', clock, timeoutMs, startTimeout, headers } as const
  const permalinkOn = (platform: string) => (post: { readonly remoteId: string; readonly postId: string }) =>
    `${pages}/feeds/${platform}/${encodeURIComponent(post.remoteId)}/${encodeURIComponent(post.postId)}`
  return {
    facebook: facebook({ ...facebookDefaults, ...setup, dialogUrl: `${pages}/facebook`, graphUrl: `${base}/facebook` }),
    instagram: instagram({
      ...instagramDefaults,
      ...setup,
      wwwUrl: `${pages}/instagram`,
      apiUrl: `${base}/instagram`,
      graphUrl: `${base}/instagram`,
      poll: { ...instagramDefaults.poll, firstMs: pauseMs },
    }),
    twitter: x({
      ...xDefaults,
      ...setup,
      authorizeUrl: `${pages}/x`,
      apiUrl: `${base}/x`,
      permalink: permalinkOn('twitter'),
      poll: { ...xDefaults.poll, pauseMs, longestPauseMs: pauseMs },
    }),
    linkedin: linkedin({
      ...linkedinDefaults,
      ...setup,
      authorizeUrl: `${pages}/linkedin`,
      wwwUrl: `${base}/linkedin`,
      apiUrl: `${base}/linkedin`,
      scope: linkedinScope,
      memberUrn: (id) => (isFormerId(id) ? id : linkedinDefaults.memberUrn(id)),
      permalink: permalinkOn('linkedin'),
      poll: { ...linkedinDefaults.poll, pauseMs },
    }),
  }
}
