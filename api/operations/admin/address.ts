import { join, resolve } from 'node:path'

/** The maximum length of a socket's path in bytes, with its terminator. */
const maxBytes = 104

/** The path of the admin socket; null if the folder's path is too long, or the system has no socket files. */
export function addressIn(dataDir: string): string | null {
  const address = resolve(join(dataDir, 'admin.sock'))
  return process.platform === 'win32' || Buffer.byteLength(address) >= maxBytes ? null : address
}
