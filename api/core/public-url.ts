/** This server's addresses: for its own requests, and for a browser on the same machine. */
import { isIPv6 } from 'node:net'

const everywhere = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
const bracketed = (host: string) => (isIPv6(host) ? `[${host}]` : host)

/** Addresses without a slash at the end. @param host as in `HOST` */
export function publicUrlOf(host: string, port: number): { readonly own: string; readonly shown: string } {
  const name = host === '127.0.0.1' || everywhere.has(host) ? 'localhost' : bracketed(host)
  return { own: `http://${bracketed(everywhere.get(host) ?? host)}:${port}`, shown: `http://${name}:${port}` }
}

/** Whether the host is this machine itself. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
