/** The served sandbox with its connectors, and the user between them. */
import type { Platform } from '../../../domain/core/values.ts'
import type { Clock } from '../../core/clock.ts'
import type { Connection, Networks, Profile } from '../../networks/port.ts'
import { sandboxNetworks } from '../connectors.ts'
import { allow, redirectUri, serveSandbox, type Served } from './serving.ts'
import { Timeouts } from './timeouts.ts'

export { allow, redirectUri } from './serving.ts'

export interface SandboxServer extends Served {
  readonly networks: Networks
  readonly timeouts: Timeouts
  /** The user's part in the browser: opens the consent page, allows, and returns. The first profile. */
  connect(platform: Platform, accountName: string): Promise<Connection>
  /** The same with several names: all resulting profiles. */
  connectAll(platform: Platform, accountNames: readonly string[]): Promise<readonly Profile[]>
}

/** RFC 7636's own example. */
export const pkce = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
}

export async function startSandbox(folder: string, clock: Clock, feedLagMs?: () => number): Promise<SandboxServer> {
  const timeouts = new Timeouts()
  const served = await serveSandbox(folder, clock, { leftOpen: timeouts.leftOpen, feedLagMs })
  const { url } = served
  const networks = sandboxNetworks({ baseUrl: url, publicBaseUrl: url, startTimeout: timeouts.start, clock })
  const connectAll = async (platform: Platform, names: readonly string[]) => {
    const request = { state: 's', redirectUri, accountName: names[0] ?? '', codeChallenge: pkce.challenge }
    const code = await allow(networks[platform].consentUrl(request), names)
    return networks[platform].exchange({ code, redirectUri, codeVerifier: pkce.verifier })
  }
  return {
    ...served,
    networks,
    timeouts,
    connectAll,
    async connect(platform, accountName) {
      const [profile] = await connectAll(platform, [accountName])
      if (!profile) throw new Error('The consent covered no profile')
      return { remoteId: profile.remoteId, tokens: profile.tokens }
    },
  }
}
