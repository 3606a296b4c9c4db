/** Requests while the views stand still. */
import { vi } from 'vitest'
import type { TestServer } from './server.ts'

/** Returns the answer of a request, and how often its handler waited for the views in vain. */
export async function whileViewsAreLate<T>(server: TestServer, request: () => Promise<T>) {
  const before = await waitsInVain(server)
  const spy = vi.spyOn(server.projector, 'waitFor').mockResolvedValue(false)
  const answer = await request().finally(() => spy.mockRestore())
  return { answer, waits: (await waitsInVain(server)) - before }
}

async function waitsInVain(server: TestServer): Promise<number> {
  const metrics = await (await fetch(`${server.localUrl}/metrics`)).text()
  return Number(/^socialai_visible_seconds_count\{shown="late"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}
