/** A network that this server has no app for, where no sandbox stands in for it. */
import type { Platform } from '../../domain/core/values.ts'
import { rejected } from './network-client.ts'
import { networkNames } from '../contract/network-names.ts'
import { NetworkError, type Network } from './port.ts'

/** Answers everything with one sentence. `consentUrl` throws NetworkError too. */
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
    // Nothing of it can be given back, and an account must be removable.
    disconnect: () => Promise.resolve(),
    quota: () => Promise.resolve(null),
    prepare: refusal,
    publish: refusal,
    lookUp: () => Promise.resolve({ kind: 'undecided', cause: sentence }),
    metrics: refuse,
  }
}
