/**
 * The longest answers that one agency can ask for, from the built server over HTTP (`npm run build` first): a list of
 * 400 drafts and the history of a post with 300 edits, each text 65,000 Japanese characters of three bytes. How long
 * other callers wait meanwhile is measured by asking `/healthz` every 5 ms; the reference is the same on an idle
 * server.
 */
import { readFile } from 'node:fs/promises'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import type { ApiClient } from '../api/http/client.ts'
import { busyAgency } from './agency.ts'
import { grouped, ms, print } from './report.ts'

const drafts = 400
const edits = 300
const characters = 65_000
const everyMs = 5

interface Measured {
  readonly bytes: number
  readonly ms: number
  readonly longestWaitMs: number
}

export async function largeAnswers(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  const server = startProcess(await freePort(), folder, { LOG_MB_PER_DAY: '10000' })
  await server.ready
  const { caller, clientId, accountId } = await busyAgency(server.url)
  const write = (content: string) =>
    caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })
  for (let at = 0; at < drafts; at++) await write(text(at))
  const { id } = await write(text(0))
  for (let at = 1; at <= edits; at++)
    await caller.callOrThrow('changePost', { params: { id }, body: { content: text(at) } })

  const idle = await measured(server.url, () => new Promise((resolve) => setTimeout(() => resolve(0), 500)))
  const lines = [
    { what: 'reference: no requests', figure: `longest wait ${ms(idle.longestWaitMs)}` },
    {
      what: 'peak memory of the server while they were written',
      figure: `${grouped(await maxMemory(server.pid))} MB`,
    },
  ]
  for (const [what, path] of [
    ['list', `/api/clients/${clientId}/posts`],
    ['list, view=card', `/api/clients/${clientId}/posts?view=card`],
    ['history', `/api/posts/${id}/history`],
  ] as const) {
    const cold = await measured(server.url, async () => Buffer.byteLength((await caller.get(path)).text))
    const first = await measured(server.url, async () => Buffer.byteLength((await caller.get(path)).text))
    const all = await measured(server.url, () => pages(caller, path))
    lines.push(
      { what: `${what}, the first response`, figure: figures(cold) },
      { what: `${what}, one answer`, figure: figures(first) },
      { what: `${what}, all of its pages`, figure: figures(all) },
    )
  }
  lines.push({ what: 'peak memory of the server', figure: `${grouped(await maxMemory(server.pid))} MB` })
  print(`${drafts} drafts and ${edits} edits of ${grouped(characters)} characters`, lines)
  await server.stop()
  await removeFolder(folder)
}

const text = (at: number) => `${at} ${'毎日のコーヒー。 '.repeat(characters)}`.slice(0, characters)

const figures = ({ bytes, ms: took, longestWaitMs }: Measured) =>
  `${grouped(bytes)} bytes in ${ms(took)}, longest wait of others ${ms(longestWaitMs)}`

/** Reads every page; answers the bytes of all. */
async function pages(caller: ApiClient, path: string): Promise<number> {
  let bytes = 0
  for (let next: string | null = path; next !== null;) {
    const { text, headers, status } = await caller.get(next)
    if (status !== 200) throw new Error(`${status}: ${text}`)
    bytes += Buffer.byteLength(text)
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
  }
  return bytes
}

async function measured(url: string, work: () => Promise<number>): Promise<Measured> {
  const over = new AbortController()
  let longestWaitMs = 0
  const others = (async () => {
    while (!over.signal.aborted) {
      const asked = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      longestWaitMs = Math.max(longestWaitMs, performance.now() - asked)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  })()
  const begun = performance.now()
  const bytes = await work()
  const took = performance.now() - begun
  over.abort()
  await others
  return { bytes, ms: took, longestWaitMs }
}

/** Peak resident set of a process in MB, as Linux counts it. */
async function maxMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}
