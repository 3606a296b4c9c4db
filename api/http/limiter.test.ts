import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Limiter, tooMany } from './limiter.ts'
import { networkOf, sourceOf } from '../core/source.ts'

describe('counting attempts', () => {
  it('returns the wait from the first attempt over the limit', async () => {
    const limiter = new Limiter({ points: 2, seconds: 60 })
    const waits = [await limiter.waitFor('a'), await limiter.waitFor('a'), await limiter.waitFor('a')]
    expect(waits.map((wait) => wait > 0)).toEqual([false, false, true])
    expect(waits[2]).toBeLessThanOrEqual(60_000)
  })
  it('forgets a key, and gives a point back', async () => {
    const limiter = new Limiter({ points: 1, seconds: 60 })
    await limiter.take('a')
    await limiter.giveBack('a')
    expect(await limiter.waitFor('a')).toBe(0)
    expect(await limiter.waitFor('a')).toBeGreaterThan(0)
    await limiter.forget('a')
    expect(await limiter.waitFor('a')).toBe(0)
  })
  it('keeps its memory bounded for any number of keys, and does not forget the attacked one', async () => {
    const limiter = new Limiter({ points: 2, seconds: 60, maxKeys: 100 })
    await limiter.take('attacked')
    await limiter.take('attacked')
    for (let made = 0; made < 1_000; made++) {
      await limiter.waitFor(`made up ${made}`)
      if (made % 50 === 0) expect(await limiter.waitFor('attacked')).toBeGreaterThan(0)
    }
    expect(limiter.size).toBe(100)
    expect(await limiter.waitFor('made up 0')).toBe(0)
  })
  it('forgets keys with few points first, and the attacked one only after many more', async () => {
    const limiter = new Limiter({ points: 10, seconds: 60, maxKeys: 100 })
    for (let attempt = 0; attempt < 10; attempt++) await limiter.take('attacked')
    for (let made = 0; made < 900; made++) await limiter.take(`made up ${made}`)
    expect(await limiter.waitFor('attacked')).toBeGreaterThan(0)
  })
  it('still counts new keys when it is full of keys with more points', async () => {
    const limiter = new Limiter({ points: 3, seconds: 60, maxKeys: 100 })
    for (let made = 0; made < 200; made++) await limiter.take(`made up ${made % 100}`)
    const waits: number[] = []
    for (let attempt = 0; attempt < 6; attempt++) {
      waits.push(await limiter.waitFor('attacked'))
      await limiter.take(`another ${attempt}`)
    }
    expect(waits.map((wait) => wait > 0).slice(-2)).toEqual([true, true])
  })
  it('gives nothing back for a forgotten key', async () => {
    const limiter = new Limiter({ points: 1, seconds: 60 })
    await limiter.take('a')
    await limiter.forget('a')
    await limiter.giveBack('a')
    expect([await limiter.waitFor('a'), (await limiter.waitFor('a')) > 0]).toEqual([0, true])
  })
  it('a wait ends with its window, even when the wall clock is changed meanwhile [S97]', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    let elapsed = 0
    const limiter = new Limiter({ points: 1, seconds: 60 }, () => elapsed)
    await limiter.take('a')
    vi.setSystemTime(Date.now() - 3 * 86_400_000)
    expect(await limiter.waitFor('a')).toBe(60_000)
    vi.setSystemTime(Date.now() + 30 * 86_400_000)
    elapsed = 59_999
    expect(await limiter.waitFor('a')).toBe(1)
    elapsed = 60_000
    expect(await limiter.waitFor('a')).toBe(0)
  })
  it('the default clock is independent of the wall clock', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const limiter = new Limiter({ points: 1, seconds: 60 })
    await limiter.take('a')
    vi.setSystemTime(Date.now() - 3 * 86_400_000)
    const afterBack = await limiter.waitFor('a')
    vi.setSystemTime(Date.now() + 30 * 86_400_000)
    const afterForward = await limiter.waitFor('a')
    expect([afterBack > 0 && afterBack <= 60_000, afterForward > 0 && afterForward <= 60_000]).toEqual([true, true])
  })
  it.each([
    [1, 'a second', '1'],
    [1_200, '2 seconds', '2'],
    [60_000, 'a minute', '60'],
    [61_000, '2 minutes', '61'],
  ])('%i ms is shown as %s', (ms, words, seconds) => {
    expect(tooMany(ms)).toMatchObject({
      status: 429,
      message: `Too many attempts. Try again in ${words}.`,
      headers: { 'Retry-After': seconds },
    })
  })
})

describe('the source of a request', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('of %j is %j', (address, source) => {
    expect(sourceOf(address)).toBe(source)
  })
  it.each([
    ['2001:db8:1:2::9', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['203.0.113.7', null],
    ['', null],
  ])('at %j is in the network %j', (address, network) => {
    expect(networkOf(sourceOf(address))).toBe(network)
  })
})
