/**
 * 1,000 posts that are due in the same minute, on the embedded default with an unthrottled sandbox: how late they
 * are.
 */
import { v7 as uuidv7 } from 'uuid'
import { later } from '../api/core/clock.ts'
import type { CommandContext } from '../api/core/command-handler.ts'
import { agencyIdOf } from '../api/core/agency-id.ts'
import { connect } from '../api/http/client.ts'
import { jpeg } from '../api/features/media/test/helpers.ts'
import { owner, testServer } from '../api/testing/server.ts'
import { platforms, type Platform } from '../domain/core/values.ts'
import { history } from '../api/core/aggregates.ts'
import { grouped, ms, percentile, print } from './report.ts'

const posts = 1_000
const clients = 10
const leadMs = 20_000
const longestMs = 120_000

interface Account {
  readonly clientId: string
  readonly accountId: string
  readonly platform: Platform
}

/** All at the first instant of the minute, which is harder than spread over it. */
export async function publish(): Promise<void> {
  const server = await testServer({ PUBLISH_POLL_MS: '250' })
  const caller = await owner(server)
  const { url: imageUrl } = await caller.callOrThrow('uploadImage', {
    body: new Blob([new Uint8Array(jpeg(1080, 1080))], { type: 'image/jpeg' }),
  })
  const accounts: Account[] = []
  for (let index = 0; index < clients; index++) {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: `Brand ${index}` } })
    for (const platform of platforms) {
      const body = { platform, accountName: `Brand ${index}` }
      const { id: accountId } = await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body })
      await connect(caller, accountId)
      accounts.push({ clientId, accountId, platform })
    }
  }
  const user = await caller.callOrThrow('getUser')
  const by: CommandContext = {
    actor: { type: 'user', id: user.id },
    agencyId: agencyIdOf(user.id),
    correlationId: uuidv7(),
  }
  const dueAt = later(new Date().toISOString(), leadMs)
  const ids = new Map<string, Platform>()
  for (let index = 0; index < posts; index++) {
    const { clientId, accountId, platform } = accounts[index % accounts.length] ?? accounts[0] ?? missing()
    const postId = uuidv7()
    const write = {
      postId,
      clientId,
      accountId,
      platform,
      content: `Post ${index} of the morning`,
      imageUrl: platform === 'instagram' ? imageUrl : null,
    }
    await server.commands.post(
      postId,
      { type: 'WritePost', ...write, scheduledFor: null, as: 'draft', generation: null, plan: null },
      by,
    )
    const done = await server.commands.post(postId, { type: 'SchedulePost', scheduledFor: dueAt }, by)
    if ('refused' in done) throw new Error(done.refused.reason)
    ids.set(postId, platform)
  }
  if (new Date().toISOString() > dueAt) throw new Error('The posts were not scheduled in time')

  await new Promise((resolve) => setTimeout(resolve, Date.parse(dueAt) - Date.now()))
  const before = process.cpuUsage()
  const end = Date.parse(dueAt) + longestMs
  while (
    (await server.views.posts.count({
      clientId: { in: [...new Set(accounts.map(({ clientId }) => clientId))] },
      status: 'published',
    })) < posts
  ) {
    if (Date.now() > end) throw new Error('Not every post was published')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const used = process.cpuUsage(before)
  const lateness: number[] = []
  const byPlatform = new Map<Platform, number[]>(platforms.map((platform) => [platform, []]))
  for (const [id, platform] of ids) {
    const published = (await history(server.commands.ports.events, `post-${id}`)).filter(
      ({ type }) => type === 'PostPublished',
    )
    if (published.length !== 1) throw new Error(`${published.length} times published: ${id}`)
    for (const { metadata } of published) {
      const late = Date.parse(metadata.at) - Date.parse(dueAt)
      lateness.push(late)
      byPlatform.get(platform)?.push(late)
    }
  }
  print(`${grouped(posts)} posts due at one instant, ${accounts.length} accounts on four networks`, [
    { what: 'late, p50', figure: ms(percentile(lateness, 0.5)) },
    { what: 'late, p99', figure: ms(percentile(lateness, 0.99)) },
    { what: 'delay of the last post', figure: ms(Math.max(...lateness)) },
    ...platforms.map((platform) => ({
      what: `${platform}, p99`,
      figure: ms(percentile(byPlatform.get(platform) ?? [], 0.99)),
    })),
    { what: 'processor time, per post', figure: ms((used.user + used.system) / 1000 / posts) },
    { what: 'early', figure: String(lateness.filter((late) => late < 0).length) },
  ])
  await server.remove()
}

function missing(): never {
  throw new Error('There is no account')
}
