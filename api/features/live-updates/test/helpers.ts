/** Reads a live-update stream as a browser does. */
import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { vi } from 'vitest'
import { patience } from '../../../../domain/test/patience.ts'
import type { ApiClient } from '../../../http/client.ts'
import { changesMessage, type Change } from '../../../contract/live-updates.ts'

export interface Listening {
  readonly status: number
  /** The changes received so far. */
  readonly changes: Change[]
  readonly text: () => string
  readonly missed: () => boolean
  /** The last event id received. */
  readonly lastId: () => string
  /** Settles when the stream is over: whether the server ended it, or only its connection was closed. */
  readonly ended: Promise<'completely' | 'cut off'>
  hears(what: (changes: readonly Change[]) => boolean): Promise<void>
  /** Stops reading, and leaves the connection open. */
  stopReading(): void
  close(): void
}

interface From {
  readonly since?: string
  readonly lastEventId?: string
}

export async function listen(caller: ApiClient, { since, lastEventId }: From = {}): Promise<Listening> {
  const url = new URL('/api/news', caller.url)
  if (since !== undefined) url.searchParams.set('since', since)
  const headers = { Cookie: caller.cookie, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) }
  const request = get(url, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  request.on('error', () => undefined)
  let text = ''
  const changes: Change[] = []
  let read = 0
  let missed = false
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
      const data = /^data: (.*)$/m.exec(text.slice(read, end))?.[1]
      read = end + 2
      if (data === undefined) continue
      const message = changesMessage.parse(JSON.parse(data))
      changes.push(...message.changes)
      missed ||= message.missed
    }
  })
  const ended = new Promise<'completely' | 'cut off'>((resolve) =>
    response.once('close', () => resolve(response.complete ? 'completely' : 'cut off')),
  )
  response.on('error', () => undefined)
  return {
    status: response.statusCode ?? 0,
    changes,
    text: () => text,
    missed: () => missed,
    lastId: () => [...text.matchAll(/^id: ([\w-]+)$/gm)].at(-1)?.[1] ?? '',
    ended,
    hears: (what) =>
      vi.waitFor(
        () => {
          if (!what(changes)) throw new Error(`Heard only ${JSON.stringify(changes)}`)
        },
        { ...patience, interval: 10 },
      ),
    stopReading: () => void response.pause(),
    close: () => void request.destroy(),
  }
}
