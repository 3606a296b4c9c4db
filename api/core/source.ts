/**
 * The key of rate limits: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber has all of it.
 */
import { isIPv6 } from 'node:net'

const longestAddress = 100

/**
 * @param address an IP address, with or without the port that some proxies append in `X-Forwarded-For` (`7.7.7.7:1234`,
 * `[2001:db8::1]:1234`; RFC 7239, section 6)
 */
export function sourceOf(address: string): string {
  const plain = withoutPort(address.slice(0, longestAddress)).replace(/%[^]*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain
}

/** An IPv6 address has a port only when it is in brackets. */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1]
  return bracketed ?? address.replace(/^([^:]*):\d+$/, '$1')
}

/** The /48 network of an IPv6 source, which a site has; null for IPv4. */
export function networkOf(source: string): string | null {
  return source.endsWith('::/64') ? `${source.split(':').slice(0, 3).join(':')}::/48` : null
}

/** The first groups, expanded. An IPv4 tail covers the last two, which are omitted anyway. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['', ''] : [group]))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const between = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(between).fill('0'), ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}
