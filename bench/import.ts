/**
 * A CSV file of 1,000 posts: its dry run, its import in portions, and the same file again; beside bare reading of the
 * CSV.
 */
import { parse } from 'csv-parse/sync'
import { brand, owner, testServer } from '../api/testing/server.ts'
import { grouped, ms, percentile, perSecond, print } from './report.ts'

const rows = 1_000
const batch = 50
const runs = 5

export async function importing(): Promise<void> {
  const server = await testServer({ PUBLISH_POLL_MS: '250' })
  const caller = await owner(server)
  const { clientId } = await brand(caller)
  const lines = Array.from(
    { length: rows },
    (_, at) =>
      `"Post ${at}: fresh coffee, every morning from seven.",facebook,,2099-01-${String((at % 28) + 1).padStart(2, '0')},09:${String(at % 60).padStart(2, '0')},`,
  )
  const text = ['content,platform,account,date,time,image', ...lines].join('\n')
  const body = new Blob([text], { type: 'text/csv' })
  const send = (query: Readonly<Record<string, string>>) =>
    caller.callOrThrow('importPosts', { params: { id: clientId }, query, body })

  const bare = await timed(() => Promise.resolve(parse(text)))
  const dry = await timed(() => send({ dryRun: 'true' }))
  const begun = performance.now()
  for (let from = 0; from < rows; from += batch) await send({ from: String(from), count: String(batch) })
  const imported = performance.now() - begun
  const again = await timed(() => send({}))
  const posts = (await caller.tellAll('listPosts', { params: { id: clientId } })).length
  print(`Import of ${grouped(rows)} rows of CSV`, [
    { what: 'reference: bare reading of the CSV', figure: ms(bare) },
    { what: 'dry run, median', figure: `${ms(dry)}, ${(dry / bare).toFixed(1)} of the reference` },
    {
      what: `import, in portions of ${batch}`,
      figure: `${ms(imported)}, ${grouped(perSecond(rows, imported))} posts/s`,
    },
    { what: 'the same file again, median', figure: ms(again) },
    { what: 'posts afterwards', figure: grouped(posts) },
  ])
  await server.remove()
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const samples: number[] = []
  for (let at = 0; at < runs; at++) {
    const begun = performance.now()
    await run()
    samples.push(performance.now() - begun)
  }
  return percentile(samples, 0.5)
}
