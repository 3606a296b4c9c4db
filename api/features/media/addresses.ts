/** Classifies the IP addresses that the server may contact for a user's URL. */
import { BlockList, isIPv4 } from 'node:net'

/**
 * `public`: reachable by anyone. `internal`: this machine or its own network. `never`: ranges without image servers,
 * including link-local, because clouds serve a machine's credentials at 169.254.169.254.
 */
export type Reach = 'public' | 'internal' | 'never'

function listOf(...blocks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [address = '', bits] = block.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
const internal4 = listOf('10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16')
const never4 = listOf(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)
const internal6 = listOf('::1/128', 'fc00::/7')
const global6 = listOf('2000::/3')
/** Special blocks within the global ones: protocol assignments with Teredo, documentation, 6to4. */
const never6 = listOf('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** An IPv4 address inside an IPv6 one: mapped (RFC 4291), or NAT64's well-known prefix (RFC 6052). */
const holdsIpv4 = /^\[(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** @param address as a resolver or a URL writes it; an unreadable one is `never` */
export function reachOf(address: string): Reach {
  if (isIPv4(address)) return never4.check(address) ? 'never' : internal4.check(address) ? 'internal' : 'public'
  const bracketed = `http://[${address}]`
  if (!URL.canParse(bracketed)) return 'never'
  const [, high, low] = holdsIpv4.exec(new URL(bracketed).hostname) ?? []
  if (high !== undefined && low !== undefined)
    return reachOf(dotted(Number.parseInt(high, 16), Number.parseInt(low, 16)))
  if (internal6.check(address, 'ipv6')) return 'internal'
  return global6.check(address, 'ipv6') && !never6.check(address, 'ipv6') ? 'public' : 'never'
}

const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
