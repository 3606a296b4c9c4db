import { describe, expect, it } from 'vitest'
import { Devices } from './devices.ts'

const [old, current] = ['o'.repeat(32), 'c'.repeat(32)]
const [ada, bob] = [{ id: 'ada' }, { id: 'bob' }]
const devices = new Devices([current])

describe('a browser', () => {
  it('is known for the account that signed in there, and for no other', () => {
    const cookie = devices.remember(null, ada)
    expect([ada, bob, null].map((account) => devices.isKnown(cookie, account))).toEqual([true, false, false])
  })
  it('used by two people is known for both', () => {
    const cookie = devices.remember(devices.remember(null, ada), bob)
    expect([devices.isKnown(cookie, ada), devices.isKnown(cookie, bob)]).toEqual([true, true])
  })
  it('used by many people is known for the latest, and its cookie stays short', () => {
    let cookie: string | null = null
    for (let one = 0; one < 20; one++) cookie = devices.remember(cookie, { id: `person-${one}` })
    expect([19, 16, 15].map((one) => devices.isKnown(cookie, { id: `person-${one}` }))).toEqual([true, true, false])
    expect(cookie?.length).toBeLessThan(200)
  })
  it('becomes a stranger when the password changes, and is known again after a sign-in with the new one', () => {
    let cookie = devices.remember(devices.remember(null, bob), { ...ada, passwordChanges: 1 })
    const changed = { ...ada, passwordChanges: 2 }
    expect([devices.isKnown(cookie, changed), devices.isKnown(cookie, ada)]).toEqual([false, false])
    cookie = devices.remember(cookie, changed)
    expect([devices.isKnown(cookie, changed), devices.isKnown(cookie, bob), cookie.split('.').length]).toEqual([
      true,
      true,
      2,
    ])
  })
  it('is a stranger to an unknown account, even with a cookie for the placeholder account', () => {
    expect(devices.isKnown(devices.remember(null, { id: 'nobody' }), null)).toBe(false)
  })
  it('has a cookie that names no account', () => {
    expect(Buffer.from(devices.remember(null, ada), 'base64url').toString('latin1')).not.toContain('ada')
  })
  it('is a stranger with a forged cookie', () => {
    const cookie = devices.remember(null, ada)
    const changed = cookie.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    for (const forged of [
      changed,
      cookie.slice(0, 22),
      `${'A'.repeat(43)}`,
      'x.y.z',
      '',
      cookie.toUpperCase(),
      new Devices([old]).remember(null, ada),
    ])
      expect(devices.isKnown(forged, ada)).toBe(false)
  })
  it('stays known after a rotation of the secret while the old secret is configured', () => {
    const cookie = new Devices([old]).remember(null, ada)
    expect(new Devices([current, old]).isKnown(cookie, ada)).toBe(true)
    expect(new Devices([current]).isKnown(cookie, ada)).toBe(false)
  })
})
