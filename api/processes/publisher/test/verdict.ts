/** What must hold for every post after any crash: never sent twice, never silently lost, never early. */
import type { SandboxPost } from '../../../sandbox/store/feed.ts'
import type { Account, World } from '../../test/helpers.ts'

export interface Planned {
  readonly postId: string
  readonly account: Account
  readonly content: string
  readonly scheduledFor: string
  readonly hasImage: boolean
}

export interface Verdict {
  readonly unknown: number
  /** Copies beyond one for each post. */
  readonly twice: number
  /** Sentences; an empty list is the goal. */
  readonly problems: readonly string[]
}

/** @param mayBeHeld also accept a held post, because users see it: its outcome was open for more than an hour */
export async function judge(world: World, planned: readonly Planned[], mayBeHeld = false): Promise<Verdict> {
  const problems: string[] = []
  const feed = await world.sandbox.posts()
  const byId = new Map(feed.map((copy) => [`${copy.platform}/${copy.id}`, copy]))
  const holders = new Map<string, string>()
  let unknown = 0

  for (const post of planned) {
    const { postId, account, scheduledFor, hasImage } = post
    const { status, delivery, remoteId } = await world.post(postId)
    const name = `${post.content.slice(0, 40)} (${postId})`
    if (status === 'published') {
      const copy = byId.get(`${account.platform}/${remoteId}`)
      if (!copy) problems.push(`${name} is said to be published as ${remoteId}, which is not in the feed`)
      else problems.push(...flawsOf(copy, post, planned).map((flaw) => `${name} ${flaw}`))
      if (copy && (copy.imageHash !== null || copy.imageUrl !== null) !== hasImage)
        problems.push(`${name} lost or gained an image`)
      const other = holders.get(String(remoteId))
      if (other !== undefined) problems.push(`${name} and ${other} are said to be the same post`)
      holders.set(String(remoteId), name)
    } else if (delivery === 'unknown') {
      unknown += 1
      const { sentence, act } = await world.delivery(postId)
      if (act !== 'resolve' || !sentence.includes('sent again only if'))
        problems.push(`${name} is unknown, but people are told: ${sentence}`)
    } else if (!(mayBeHeld && delivery === 'held')) {
      problems.push(`${name} ended ${status}, delivery ${delivery}, after ${scheduledFor}`)
    }
  }
  const counted = await miscounted(world, planned, feed)
  return { unknown, twice: counted.twice, problems: [...problems, ...counted.problems] }
}

function flawsOf({ createdAt, content }: SandboxPost, post: Planned, planned: readonly Planned[]): string[] {
  const isOnly = !planned.some(
    (other) => other !== post && other.account === post.account && other.content === post.content,
  )
  return [
    // Posts with equal texts may be found as each other's copies: their times are compared together.
    ...(isOnly && createdAt < post.scheduledFor ? [`went out at ${createdAt}, before ${post.scheduledFor}`] : []),
    ...(content === post.content ? [] : ['is in the feed with other words']),
  ]
}

/** Equal texts of one account can't be told apart in the feed, so they are counted together. */
async function miscounted(
  world: World,
  planned: readonly Planned[],
  feed: readonly SandboxPost[],
): Promise<Omit<Verdict, 'unknown'>> {
  const groups = new Map<string, Planned[]>()
  for (const post of planned) {
    const key = `${post.account.accountId}\n${post.content}`
    groups.set(key, [...(groups.get(key) ?? []), post])
  }
  const problems: string[] = []
  let twice = 0
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const remoteAccount = (await world.vault.get(first.account.accountId))?.remoteId
    const copies = feed.filter(({ remoteId, content }) => remoteId === remoteAccount && content === first.content)
    const states = await Promise.all(group.map(({ postId }) => world.post(postId)))
    const live = states.filter(({ status }) => status === 'published').length
    const open = states.filter(({ delivery }) => delivery === 'unknown').length
    const tale = `${group.length} wanted, ${live} published, ${open} unknown, ${copies.length} in the feed`
    twice += Math.max(0, copies.length - group.length)
    if (copies.length > live + open) problems.push(`${first.content.slice(0, 40)}: too many copies: ${tale}`)
    if (copies.length < live) problems.push(`${first.content.slice(0, 40)}: a copy is missing: ${tale}`)
    const times = group.map(({ scheduledFor }) => scheduledFor).toSorted()
    const taken = copies.map(({ createdAt }) => createdAt).toSorted()
    if (taken.some((at, index) => at < (times[index] ?? '')))
      problems.push(`${first.content.slice(0, 40)}: a copy went out early: ${taken.join(', ')}`)
  }
  return { twice, problems }
}
