/** Signs auditors' documents and verifies signatures: JWS with Ed25519, keys named by their thumbprint. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import {
  calculateJwkThumbprint,
  CompactSign,
  compactVerify,
  createLocalJWKSet,
  errors,
  exportJWK,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { decoded } from '../../core/base64.ts'

/** Seeds of 32 bytes. The current key signs; signatures of earlier keys remain valid. */
export interface SigningKeys {
  readonly current: Buffer
  readonly others: readonly Buffer[]
}

/** The purpose of a signature: one kind can't be passed off as another. */
export type SignedKind = 'checkpoint' | 'export' | 'auditor-link' | 'receipt'

/** The signature is invalid or has another purpose. The message is fit for the person who verifies. */
export class SignatureProblem extends Error {
  override readonly name = 'SignatureProblem'
}

const algorithm = 'EdDSA'
/** The PKCS #8 prefix of an Ed25519 private key (RFC 8410); the seed follows. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function keyOf(seed: Buffer): KeyObject {
  if (seed.length !== 32) throw new RangeError('A signing key must have 32 bytes')
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}

async function publicJwk(seed: Buffer): Promise<JWK & { readonly kid: string }> {
  const jwk = await exportJWK(createPublicKey(keyOf(seed)))
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: algorithm }
}

export class Signer {
  readonly #key: KeyObject
  readonly #find: ReturnType<typeof createLocalJWKSet>

  private constructor(
    seed: Buffer,
    readonly kid: string,
    /** The public halves of all keys, the current one first. */
    readonly jwks: JSONWebKeySet,
  ) {
    this.#key = keyOf(seed)
    this.#find = createLocalJWKSet(jwks)
  }

  static async open({ current, others }: SigningKeys): Promise<Signer> {
    const [first, ...earlier] = await Promise.all([current, ...others].map(publicJwk))
    if (!first) throw new RangeError('There is no signing key')
    return new Signer(current, first.kid, { keys: [first, ...earlier.filter(({ kid }) => kid !== first.kid)] })
  }

  /** Returns a compact JWS. */
  sign(kind: SignedKind, payload: object): Promise<string> {
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: algorithm, kid: this.kid, typ: typeOf(kind) })
      .sign(this.#key)
  }

  /** Returns the payload. @throws SignatureProblem */
  verify(kind: SignedKind, jws: string): Promise<unknown> {
    return verifyWith(this.#find, kind, jws)
  }
}

/** Returns the payload, verified by the public keys alone. @throws SignatureProblem */
export const verifySigned = (jwks: JSONWebKeySet, kind: SignedKind, jws: string): Promise<unknown> =>
  verifyWith(createLocalJWKSet(jwks), kind, jws)

const named = {
  checkpoint: 'a checkpoint',
  export: 'an export',
  'auditor-link': 'a link',
  receipt: 'a receipt',
} as const
const typeOf = (kind: SignedKind) => `socialai-${kind}+jws`

const changed = 'The signature is invalid: the text was changed, or another installation signed it.'
/** Whether each part has the one canonical base64url spelling of its bytes. */
const isCanonical = (jws: string) => jws.split('.').every((part) => decoded(part, 'base64url') !== null)

async function verifyWith(find: ReturnType<typeof createLocalJWKSet>, kind: SignedKind, jws: string): Promise<unknown> {
  if (!isCanonical(jws)) throw new SignatureProblem(changed)
  try {
    const { payload, protectedHeader } = await compactVerify(jws, find, { algorithms: [algorithm] })
    if (protectedHeader.typ !== typeOf(kind))
      throw new SignatureProblem(`This installation signed it, but not as ${named[kind]}.`)
    return JSON.parse(new TextDecoder().decode(payload))
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      throw new SignatureProblem('It is signed with a key that is not among the given public keys.')
    if (error instanceof errors.JOSEError) throw new SignatureProblem(changed)
    throw error
  }
}
