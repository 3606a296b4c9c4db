import { expect, it } from 'vitest'
import { sourceOf } from './source.ts'

it.each([
  ['7.7.7.7', '7.7.7.7'],
  ['7.7.7.7:1234', '7.7.7.7'],
  ['7.7.7.7:1', '7.7.7.7'],
  ['::ffff:7.7.7.7', '7.7.7.7'],
  ['[::ffff:7.7.7.7]:80', '7.7.7.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:3:4:5:6]:1234', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, source) => {
  expect(sourceOf(address)).toBe(source)
})
it('a name of any length has a source of bounded length', () => {
  expect(sourceOf(':'.repeat(100_000)).length).toBeLessThan(200)
})
