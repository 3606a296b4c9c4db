import { describe, expect, it } from 'vitest'
import { Devices } from './devices.ts'

const [old, current] = ['o'.repeat(32), 'c'.repeat(32)]
const [ada, bob] = ['ada@example.com', 'bob@example.com']
const devices = new Devices([current])

describe('a browser', () => {
  it('is known for the account that it was used with, and for no other', () => {
    const cookie = devices.remember(null, ada)
    expect(devices.known(cookie, ada)).toMatch(/^[\w-]{22}$/)
    expect(devices.known(cookie, bob)).toBeNull()
  })
  it('of two people is known for both', () => {
    const cookie = devices.remember(devices.remember(null, ada), bob)
    expect([devices.known(cookie, ada), devices.known(cookie, bob)]).toEqual([expect.any(String), expect.any(String)])
  })
  it('of many people is known for the last of them, and its cookie stays short', () => {
    let cookie: string | null = null
    for (let one = 0; one < 20; one++) cookie = devices.remember(cookie, `person-${one}@example.com`)
    expect(devices.known(cookie, 'person-19@example.com')).not.toBeNull()
    expect(devices.known(cookie, 'person-1@example.com')).toBeNull()
    expect(cookie?.length).toBeLessThan(200)
  })
  it('has nothing in its cookie that names anybody', () => {
    expect(Buffer.from(devices.remember(null, ada), 'base64url').toString('latin1')).not.toContain('ada')
  })
  it('is a stranger with a cookie of its own making', () => {
    const cookie = devices.remember(null, ada)
    const changed = cookie.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    for (const forged of [changed, cookie.slice(0, 22), `${'A'.repeat(43)}`, 'x.y.z', '', cookie.toUpperCase(), new Devices([old]).remember(null, ada)]) expect(devices.known(forged, ada)).toBeNull()
  })
  it('is known after the secret was changed, as long as the old one is there', () => {
    const cookie = new Devices([old]).remember(null, ada)
    expect(new Devices([current, old]).known(cookie, ada)).not.toBeNull()
    expect(new Devices([current]).known(cookie, ada)).toBeNull()
  })
})
