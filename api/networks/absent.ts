/** A network without an app on this server, and without a sandbox in its place. */
import type { Platform } from '../../domain/core/values.ts'
import { rejected } from './network-client.ts'
import { networkNames } from '../contract/network-names.ts'
import { NetworkError, type Network } from './port.ts'

/** Every method fails with one sentence. `consentUrl` throws NetworkError too. */
export function absentNetwork(platform: Platform): Network {
  const sentence = `${networkNames[platform]} is not set up on this server.`
  const refuse = () => Promise.reject(new NetworkError(sentence))
  const refusal = () => Promise.resolve(rejected(sentence, 'reconnect'))
  return {
    platform,
    mode: 'live',
    consentUrl() {
      throw new NetworkError(sentence)
    },
    exchange: refuse,
    renew: refuse,
    check: refuse,
    // There is nothing to revoke, and a user must be able to remove an account.
    disconnect: () => Promise.resolve(),
    quota: () => Promise.resolve(null),
    prepare: refusal,
    publish: refusal,
    lookUp: () => Promise.resolve({ kind: 'undecided', cause: sentence }),
    metrics: refuse,
  }
}
