/** One post with 1,000 events: its history and the post as it was, over HTTP; beside bare reading of the stream. */
import { brand, owner, testServer } from '../api/testing.ts'
import { history } from '../api/streams.ts'
import { ms, percentile, print } from './report.ts'

const events = 1_000
const runs = 200

export async function audit(): Promise<void> {
  const server = await testServer({ PUBLISH_POLL_MS: '1000' })
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const { id } = await caller.tell('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content: 'Version 0' } })
  for (let at = 1; at < events; at++) await caller.tell('changePost', { params: { id }, body: { content: `Version ${at} of a post that somebody could not let be` } })
  const all = await caller.tell('getPostHistory', { params: { id } })
  const middle = all[events / 2]?.at ?? ''

  const bare = await timed(() => history(server.handler.ports.events, `post-${id}`))
  const told = await timed(() => caller.ask('getPostHistory', { params: { id } }))
  const was = await timed(() => caller.ask('getPost', { params: { id }, query: { asOf: middle } }))
  print(`A post with ${all.length} events`, [
    { what: 'reference: bare reading of the stream, p50', figure: ms(percentile(bare, 0.5)) },
    { what: 'history, p50', figure: `${ms(percentile(told, 0.5))}, ${(percentile(told, 0.5) / percentile(bare, 0.5)).toFixed(1)} of the reference` },
    { what: 'history, p99', figure: ms(percentile(told, 0.99)) },
    { what: 'as it was in the middle, p50', figure: `${ms(percentile(was, 0.5))}, ${(percentile(was, 0.5) / percentile(bare, 0.5)).toFixed(1)} of the reference` },
    { what: 'as it was in the middle, p99', figure: ms(percentile(was, 0.99)) },
  ])
  await server.remove()
}

async function timed(run: () => Promise<unknown>): Promise<readonly number[]> {
  const samples: number[] = []
  for (let at = 0; at < runs; at++) {
    const begun = performance.now()
    await run()
    samples.push(performance.now() - begun)
  }
  return samples
}
