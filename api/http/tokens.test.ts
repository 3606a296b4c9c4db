/** Each token has exactly one spelling: a copy with a changed, added or missing character is invalid. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromCursor, toCursor } from '../../projections/read-store/cursor.ts'
import { Signer } from '../features/audit/signing.ts'
import { agencyWithPast, type Past } from '../features/audit/test/helpers.ts'
import { Devices } from '../features/auth/devices.ts'
import { later } from '../core/clock.ts'
import { TokenCipher } from '../networks/token-cipher.ts'
import { testServer, type TestServer } from '../testing/server.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=~. \n\t']

/** All changes of the token at one place: each character substituted or inserted, and the character removed. */
const changedAt = (token: string, at: number): string[] =>
  ['', ...letters.flatMap((letter) => [letter, letter + token.slice(at, at + 1)])]
    .map((put) => token.slice(0, at) + put + token.slice(at + 1))
    .filter((changed) => changed !== token)
const changedAnywhere = (token: string): string[] =>
  Array.from({ length: token.length + 1 }, (_, at) => at).flatMap((at) => changedAt(token, at))
/** The last two characters of each part, and the end: there, a decoder might ignore spare bits. */
const changedAtEnds = (token: string): string[] =>
  Array.from(token.matchAll(/[\w-](?=[^\w-]|$)/g)).flatMap(({ index }) =>
    [index - 1, index, index + 1].flatMap((at) => changedAt(token, at)),
  )

const opens = (open: () => unknown) => {
  try {
    return open() !== null
  } catch {
    return false
  }
}

describe('a token with a changed, added or missing character', () => {
  it('is no valid signature', async () => {
    const signer = await Signer.open({ current: Buffer.alloc(32, 7), others: [] })
    const jws = await signer.sign('auditor-link', { link: 'l', agency: 'a' })
    const opened = await Promise.all(
      changedAtEnds(jws).map(async (changed) =>
        (await signer.verify('auditor-link', changed).then(
          () => true,
          () => false,
        ))
          ? [changed]
          : [],
      ),
    )
    expect(opened.flat()).toEqual([])
  })

  it('is no known browser', () => {
    const devices = new Devices(['s'.repeat(32)])
    const ada = { id: 'ada' }
    const cookie = devices.remember(null, ada)
    expect(devices.isKnown(cookie, ada)).toBe(true)
    // The part after a dot may be another account's entry.
    expect(
      changedAnywhere(cookie).filter(
        (changed) =>
          devices.isKnown(changed, ada) && !changed.startsWith(`${cookie}.`) && !changed.endsWith(`.${cookie}`),
      ),
    ).toEqual([])
  })

  it('is no valid encrypted access token', { tags: 'long' }, () => {
    const cipher = new TokenCipher({ current: Buffer.alloc(32, 7) })
    const encrypted = cipher.encrypt('place', 'a secret')
    expect(cipher.decrypt('place', encrypted)).toBe('a secret')
    for (const part of ['iv', 'tag', 'data'] as const) {
      const opened = changedAnywhere(encrypted[part]).filter((changed) =>
        opens(() => cipher.decrypt('place', { ...encrypted, [part]: changed })),
      )
      expect({ part, opened }).toEqual({ part, opened: [] })
    }
  })

  it('is no valid authentication tag when truncated', () => {
    const cipher = new TokenCipher({ current: Buffer.alloc(32, 7) })
    const encrypted = cipher.encrypt('place', 'a secret')
    const short = (bytes: number) => ({
      ...encrypted,
      tag: Buffer.from(encrypted.tag, 'base64').subarray(0, bytes).toString('base64'),
    })
    expect([4, 8, 12, 15].map((bytes) => cipher.openOrNull('place', short(bytes)))).toEqual([null, null, null, null])
  })

  it('is no valid cursor', () => {
    const cursor = toCursor('an id', {}, undefined)
    const same = changedAnywhere(cursor).filter(
      (changed) => opens(() => fromCursor(changed, undefined)) && fromCursor(changed, undefined).id === 'an id',
    )
    expect(same).toEqual([])
  })
})

describe('over HTTP', { tags: 'long' }, () => {
  let server: TestServer
  let past: Past
  beforeAll(async () => {
    server = await testServer()
    past = await agencyWithPast(server)
  })
  afterAll(() => server.remove())

  it('a session cookie with changed, added or missing characters at its end is invalid', async () => {
    const { cookie } = past.caller
    const status = async (changed: string) =>
      (await fetch(`${server.url}/api/clients`, { headers: { Cookie: changed } })).status
    expect(await status(cookie)).toBe(200)
    const changed = [cookie.length - 4, cookie.length - 3, cookie.length - 2, cookie.length - 1, cookie.length]
      .flatMap((at) => changedAt(cookie, at))
      .filter((text) => !/[\n\t ]/.test(text))
    for (const text of [...changed, `${cookie}~2`, `${cookie}${'x'.repeat(10_000)}`])
      expect([text.slice(-8), await status(text)]).toEqual([text.slice(-8), 401])
  })

  it("an auditor's link with a changed character at the end of a part, or a dot for a tilde, is invalid [S72]", async () => {
    const { url } = await past.caller.callOrThrow('issueAuditorLink', {
      body: { label: 'Audit', expiresAt: later(server.clock.now(), 86_400_000) },
    })
    const token = url.split('/').at(-1) ?? ''
    const status = async (changed: string) =>
      (await fetch(`${server.url}/api/auditor/${encodeURIComponent(changed)}`)).status
    expect(await status(token)).toBe(200)
    const last = token.length - 1
    for (const changed of [
      token.replace('~', '.'),
      token.replaceAll('~', '.'),
      ...changedAt(token, last),
      ...changedAt(token, last + 1),
    ])
      expect([changed.slice(-6), await status(changed)]).toEqual([changed.slice(-6), 404])
  })
})
