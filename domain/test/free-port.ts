/** A port for a server that has to know its port before it starts, or that starts again on the same one. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Linux gives 32768 to 60999 to connections and to `listen(0)` (Documentation/networking/ip-sysctl.rst, version 6.1,
 * `ip_local_port_range`), other systems 49152 and above: a port below stays free until its server listens.
 */
const first = 20_000
const end = 32_768
/** Test processes begin apart: of two that run at once, neither finds a port that the other has just found. */
const stride = 101

let next = (process.pid * stride) % (end - first)

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < end - first; tries++) {
    const port = first + next
    next = (next + 1) % (end - first)
    if (await isFree(port)) return port
  }
  throw new Error(`All ports from ${first} to ${end - 1} are taken`)
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
