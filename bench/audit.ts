/**
 * Benchmark of a post with 1,000 events: its history and the post as it was, from the built server over HTTP (`npm run
 * build` first), compared with bare reading of the stream.
 */
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { history } from '../api/core/aggregates.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { busyAgency } from './agency.ts'
import { ms, percentile, print } from './report.ts'

const events = 1_000
const runs = 300
/** Until the server's code is compiled as it stays. */
const warmUps = 50

export async function audit(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  const server = startProcess(await freePort(), folder)
  await server.ready
  const { caller, clientId, accountId } = await busyAgency(server.url)
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: clientId },
    body: { socialAccountId: accountId, content: 'Version 0' },
  })
  for (let at = 1; at < events; at++)
    await caller.callOrThrow('changePost', {
      params: { id },
      body: { content: `Version ${at} of a post that somebody could not let be` },
    })
  const all = await caller.tellAll('getPostHistory', { params: { id } })
  const middle = all.find(({ revision }) => revision === events / 2)?.at ?? ''

  const result = await timed(() => caller.ask('getPostHistory', { params: { id } }))
  const was = await timed(() => caller.ask('getPost', { params: { id }, query: { asOf: middle } }))
  await server.stop()
  const store = await openEmbeddedEventStore(join(folder, 'events.db'))
  const bare = await timed(() => history(store, `post-${id}`))
  await store.close()
  await removeFolder(folder)

  const reference = percentile(bare, 0.5)
  const figures = (samples: readonly number[]) =>
    `p50 ${ms(percentile(samples, 0.5))}, ${(percentile(samples, 0.5) / reference).toFixed(1)} of the reference; p99 ${ms(percentile(samples, 0.99))}`
  print(`A post with ${all.length} events`, [
    {
      what: 'reference: bare reading of the stream',
      figure: `p50 ${ms(reference)}, p99 ${ms(percentile(bare, 0.99))}`,
    },
    { what: 'history, its newest page', figure: figures(result) },
    { what: 'as it was in the middle', figure: figures(was) },
  ])
}

async function timed(run: () => Promise<unknown>): Promise<readonly number[]> {
  const samples: number[] = []
  for (let at = -warmUps; at < runs; at++) {
    const begun = performance.now()
    await run()
    if (at >= 0) samples.push(performance.now() - begun)
  }
  return samples
}
