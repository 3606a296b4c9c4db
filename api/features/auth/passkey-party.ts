/**
 * The server as the other party of passkeys (WebAuthn): checks what browsers answer. The library throws an error for
 * each kind of wrong answer; here they all become null, because callers give one answer to all of them.
 */
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { AddedPasskey, UsedPasskey } from '../../contract/passkeys.ts'
import { isLoopback } from '../../core/public-url.ts'
import { pendingSignInMs } from './pending-sign-ins.ts'

export interface StoredPasskey {
  /** The credential's id, base64url. */
  readonly id: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** Of the authenticator's uses; always 0 for one that doesn't count. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly addedAt: string
  readonly usedAt: string | null
}

type NewPasskey = Pick<StoredPasskey, 'id' | 'publicKey' | 'counter' | 'transports'>

/** Why passkeys don't work at an address: browsers bind them to a name, and need a secure connection. */
export type NoPasskeys = 'ip-address' | 'not-https'

const maxKeyBytes = 2_000
const timeout = pendingSignInMs

// Loaded at first use: its certificate libraries take longer to load than the rest of sign-in.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

export class PasskeyParty {
  readonly unavailable: NoPasskeys | null
  readonly #id: string
  readonly #origin: string

  constructor(publicUrl: string) {
    const { hostname, origin, protocol } = new URL(publicUrl)
    this.#id = hostname
    this.#origin = origin
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    const isSecure = protocol === 'https:' || isLoopback(hostname)
    this.unavailable = isAddress ? 'ip-address' : isSecure ? null : 'not-https'
  }

  async creationOptions(
    user: { readonly id: string; readonly email: string },
    present: readonly StoredPasskey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await library()
    return generateRegistrationOptions({
      rpName: 'SocialAI',
      rpID: this.#id,
      userName: user.email,
      userDisplayName: user.email,
      userID: new Uint8Array(Buffer.from(user.id)),
      timeout,
      attestationType: 'none',
      excludeCredentials: present.map(described),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
  }

  /** @param allowed empty: any passkey that the browser has for this server, with user verification */
  async requestOptions(allowed: readonly StoredPasskey[]): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({
      rpID: this.#id,
      timeout,
      userVerification: allowed.length === 0 ? 'required' : 'preferred',
      ...(allowed.length > 0 && { allowCredentials: allowed.map(described) }),
    })
  }

  /** The new passkey; null for an answer that is wrong in any way. */
  async created(response: AddedPasskey, challenge: string): Promise<NewPasskey | null> {
    try {
      const { verifyRegistrationResponse } = await library()
      if (!(await isUnattested(response.response.attestationObject))) return null
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} } as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#id,
        requireUserVerification: false,
      })
      if (!registrationInfo || registrationInfo.credential.publicKey.length > maxKeyBytes) return null
      const { id, publicKey, counter } = registrationInfo.credential
      const transports = response.response.transports ?? []
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
    } catch {
      return null
    }
  }

  /** The passkey's new counter; null for an answer that is wrong in any way. */
  async usedCounter(
    response: UsedPasskey,
    { id, publicKey, counter }: StoredPasskey,
    challenge: string,
    requireUserVerification: boolean,
  ): Promise<number | null> {
    try {
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} } as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#id,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
        requireUserVerification,
      })
      return verified ? authenticationInfo.newCounter : null
    } catch {
      return null
    }
  }
}

const described = ({ id, transports }: StoredPasskey) => ({ id, transports: [...transports] })

/**
 * No attestation is asked for. One that comes all the same is refused, so that certificates of strangers, with the
 * addresses in them, are never looked at.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}
