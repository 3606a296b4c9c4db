import { join, resolve } from 'node:path'

/** What the operating system takes as a socket's path, in bytes, with its end. */
const maxBytes = 104

/** Where the door is; null where the folder's path is too long for one, or the system has none in files. */
export function addressIn(dataDir: string): string | null {
  const address = resolve(join(dataDir, 'admin.sock'))
  return process.platform === 'win32' || Buffer.byteLength(address) >= maxBytes ? null : address
}
