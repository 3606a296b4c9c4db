/** Whoever has one IPv6 address has a whole /64 of them, so that is what is counted. */
import { isIPv6 } from 'node:net'

export function sourceOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain
}

/** What a whole site has of IPv6, by a source; null for IPv4. */
export function networkOf(source: string): string | null {
  return source.endsWith('::/64') ? `${source.split(':').slice(0, 3).join(':')}::/48` : null
}

/** The first groups, written out; an IPv4 tail stands for the last two, which are left out here anyway. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['', ''] : [group])))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const between = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(between).fill('0'), ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}
