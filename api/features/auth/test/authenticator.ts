/** An authenticator in software: keys of ES256, and answers as browsers send them, right or wrong. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id?: string | undefined }
  readonly rpId?: string | undefined
  readonly user?: { readonly id: string }
}

/** What an answer has in place of the right thing. */
export interface Lies {
  readonly origin?: string
  readonly party?: string
  readonly challenge?: string
  readonly type?: string
  /** By fingerprint, PIN or the like. */
  readonly verifiesUser?: boolean
  readonly counter?: number
  readonly attestation?: 'none' | 'packed'
  readonly signature?: 'forged'
}

const isVerified = 0x04
const isPresent = 0x01
const hasKey = 0x40

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text64 = (data: Buffer) => data.toString('base64url')

export class Authenticator {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #userHandle = ''
  counter = 0

  constructor(
    readonly origin: string,
    readonly party = new URL(origin).hostname,
  ) {}

  /** The answer to `navigator.credentials.create`. */
  create(options: Options, lies: Lies = {}) {
    this.#userHandle = options.user?.id ?? ''
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.id.length)
    const about = [Buffer.alloc(16), idLength, this.id, coseOf(this.#keys.publicKey)]
    const authData = Buffer.concat([this.#authData(hasKey, lies), ...about])
    const statement = lies.attestation === 'packed' ? { alg: -7, sig: randomBytes(70), x5c: [randomBytes(300)] } : {}
    const attestationObject = cbor({ fmt: lies.attestation ?? 'none', attStmt: statement, authData })
    return this.#answer({
      clientDataJSON: this.#clientData(options, 'webauthn.create', lies),
      attestationObject: text64(attestationObject),
      transports: ['internal'],
    })
  }

  /** The answer to `navigator.credentials.get`. */
  get(options: Options, lies: Lies = {}) {
    this.counter += 1
    const authData = this.#authData(0, lies)
    const clientDataJSON = this.#clientData(options, 'webauthn.get', lies)
    const signed = Buffer.concat([authData, hash(Buffer.from(clientDataJSON, 'base64url'))])
    const key = lies.signature === 'forged' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : this.#keys
    return this.#answer({
      clientDataJSON,
      authenticatorData: text64(authData),
      signature: text64(sign('sha256', signed, key.privateKey)),
      userHandle: this.#userHandle,
    })
  }

  #answer<R extends object>(response: R) {
    const id = text64(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const
  }

  #authData(flags: number, { party = this.party, verifiesUser = true, counter = this.counter }: Lies): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags | isPresent | (verifiesUser ? isVerified : 0))
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([hash(party), rest])
  }

  #clientData({ challenge }: Options, type: string, lies: Lies): string {
    const said = { type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? this.origin }
    return text64(Buffer.from(JSON.stringify({ ...said, crossOrigin: false })))
  }
}

function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
}

/** As much of CBOR (RFC 8949) as there is in these answers. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = value instanceof Map ? [...value] : Object.entries(value as object)
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

function head(kind: number, length: number): Buffer {
  const first = kind << 5
  if (length < 24) return Buffer.from([first | length])
  if (length < 256) return Buffer.from([first | 24, length])
  return Buffer.from([first | 25, length >> 8, length & 255])
}
