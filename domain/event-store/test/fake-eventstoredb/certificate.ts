/**
 * A self-signed certificate for 127.0.0.1 and localhost. Encoded by hand because Node generates keys but no
 * certificates.
 */
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

export interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
}

const day = 86_400_000

export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = list(set(list(hex('0603550403'), text('localhost'))))
  const now = Date.now()
  const body = list(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    list(time(now - day), time(now + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, list(alternativeNames, authority)),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const cert = list(body, ecdsaWithSha256, tagged(0x03, Buffer.of(0), signature))
  return { key: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert: pem(cert) }
}

/** DER: a tag, a length, a content (ITU-T X.690). */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const bytes = Buffer.from(content.length.toString(16).padStart(content.length > 255 ? 4 : 2, '0'), 'hex')
  return Buffer.concat([
    Buffer.of(tag),
    content.length < 128 ? bytes : Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]),
    content,
  ])
}
const list = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const set = (...parts: readonly Buffer[]) => tagged(0x31, ...parts)
const integer = (value: Buffer) => tagged(0x02, value)
const text = (value: string) => tagged(0x0c, Buffer.from(value))
const hex = (value: string) => Buffer.from(value, 'hex')
const time = (at: number) =>
  tagged(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))

const ecdsaWithSha256 = list(hex('06082a8648ce3d040302'))
/** X.509 object ids: 2.5.29.17 is subjectAltName, 2.5.29.19 is basicConstraints (it may sign itself). */
const alternativeNames = list(
  hex('0603551d11'),
  tagged(0x04, list(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.of(127, 0, 0, 1)))),
)
const authority = list(hex('0603551d13'), hex('0101ff'), tagged(0x04, list(hex('0101ff'))))

const pem = (der: Buffer) =>
  Buffer.from(
    `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`,
  )
