/** Sorts many texts without blocking the event loop: a million of them take seconds. */
import { yieldToEventLoop } from '../event-store/yield-to-event-loop.ts'

const runSize = 10_000
const stepsBetweenYields = 20_000

/** The texts by code units, as `sort` orders them. */
export async function sorted(texts: Iterable<string>): Promise<readonly string[]> {
  let runs: (readonly string[])[] = []
  let run: string[] = []
  for (const text of texts) {
    run.push(text)
    if (run.length < runSize) continue
    runs.push(run.sort())
    run = []
    await yieldToEventLoop()
  }
  runs.push(run.sort())
  while (runs.length > 1) {
    const merged: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(left: readonly string[], right: readonly string[]): Promise<readonly string[]> {
  const merged: string[] = []
  for (let [l, r] = [0, 0]; l < left.length || r < right.length;) {
    const [a, b] = [left[l], right[r]]
    if (b === undefined || (a !== undefined && a <= b)) {
      merged.push(a ?? '')
      l += 1
    } else {
      merged.push(b)
      r += 1
    }
    if (merged.length % stepsBetweenYields === 0) await yieldToEventLoop()
  }
  return merged
}
