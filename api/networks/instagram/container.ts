/** A container: the image after Instagram has fetched it, ready to publish. */
import { setTimeout as pause } from 'node:timers/promises'
import { query } from '../http.ts'
import { rejected, type NetworkClient } from '../network-client.ts'
import type { Ready, Rejection } from '../port.ts'
import { instagramWaits, type Poll } from './settings.ts'
import { status } from './wire.ts'

type Status = ReturnType<typeof status.parse>

/** @param container its URL, with version @throws ConnectionLost, NetworkError */
export function statusOf(line: NetworkClient, container: string, headers: Record<string, string>): Promise<Status> {
  return line.ask(`${container}?${query({ fields: 'status_code,status' })}`, { headers }, status)
}

/** Waits until Instagram has fetched the image. @throws ConnectionLost, NetworkError */
export async function waitFor(
  read: () => Promise<Status>,
  name: string,
  id: string,
  { firstMs, growth, limitMs }: Poll,
): Promise<Ready | Rejection> {
  for (let waited = 0, next = firstMs; ; next *= growth) {
    const { status_code: code } = await read()
    if (code === 'FINISHED') return { kind: 'ready', media: [id] }
    if (code === 'ERROR') return rejected(`${name} could not use the image. Change the image.`, 'edit')
    if (code !== 'IN_PROGRESS')
      return rejected(`${name} no longer has the prepared image.`, 'wait', instagramWaits.container)
    if (waited + next > limitMs)
      return rejected(`${name} is still working on the image.`, 'wait', instagramWaits.processing)
    await pause(next)
    waited += next
  }
}
