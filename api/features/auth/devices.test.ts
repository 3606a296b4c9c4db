import { describe, expect, it } from 'vitest'
import { Devices } from './devices.ts'

const [old, current] = ['o'.repeat(32), 'c'.repeat(32)]
const [ada, bob] = [{ id: 'ada' }, { id: 'bob' }]
const devices = new Devices([current])

describe('a browser', () => {
  it('is known for the account that it was used with, and for no other', () => {
    const cookie = devices.remember(null, ada)
    expect([ada, bob, null].map((account) => devices.isKnown(cookie, account))).toEqual([true, false, false])
  })
  it('of two people is known for both', () => {
    const cookie = devices.remember(devices.remember(null, ada), bob)
    expect([devices.isKnown(cookie, ada), devices.isKnown(cookie, bob)]).toEqual([true, true])
  })
  it('of many people is known for the last of them, and its cookie stays short', () => {
    let cookie: string | null = null
    for (let one = 0; one < 20; one++) cookie = devices.remember(cookie, { id: `person-${one}` })
    expect([19, 16, 15].map((one) => devices.isKnown(cookie, { id: `person-${one}` }))).toEqual([true, true, false])
    expect(cookie?.length).toBeLessThan(200)
  })
  it('is a stranger once the password is another one, and known again when somebody signs in with that', () => {
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
  it('is a stranger to what is no account, also with a cookie for nobody', () => {
    expect(devices.isKnown(devices.remember(null, { id: 'nobody' }), null)).toBe(false)
  })
  it('has nothing in its cookie that names anybody', () => {
    expect(Buffer.from(devices.remember(null, ada), 'base64url').toString('latin1')).not.toContain('ada')
  })
  it('is a stranger with a cookie of its own making', () => {
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
  it('is known after the secret was changed, as long as the old one is there', () => {
    const cookie = new Devices([old]).remember(null, ada)
    expect(new Devices([current, old]).isKnown(cookie, ada)).toBe(true)
    expect(new Devices([current]).isKnown(cookie, ada)).toBe(false)
  })
})
