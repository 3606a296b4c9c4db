/** Sockets of proxies in tests. */
import type { Socket } from 'node:net'

/** Makes each of two sockets close with the other, and keeps both in `open` until then. */
export function tie(one: Socket, other: Socket, open: Set<Socket>): void {
  for (const [socket, counterpart] of [
    [one, other],
    [other, one],
  ] as const) {
    open.add(socket)
    socket
      .setNoDelay(true)
      .on('error', () => {})
      .on('close', () => {
        open.delete(socket)
        counterpart.destroy()
      })
  }
}
