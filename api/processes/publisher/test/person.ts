/**
 * The user who settles unknown outcomes. The user sees what the network lists, and decides only when it must list all
 * that was accepted; the product's schedule of look-ups plays no part.
 */
import { later } from '../../../core/clock.ts'
import type { SandboxPost } from '../../../sandbox/store/feed.ts'
import type { PostCommand } from '../../../../domain/post/commands.ts'
import type { Post } from '../../../../domain/post/state.ts'
import type { World } from '../../test/helpers.ts'
import { randoms } from '../../test/randoms.ts'
import type { Planned } from './verdict.ts'

/** Within this, a network lists a post that it accepted. */
export const longestLagMs = 40 * 60_000
/** Within this, a request that was sent arrives. */
export const longestOnTheWayMs = 100_000

/** Lags of 0 to 40 minutes, drawn for each accepted post. */
export const feedLags = (seed: number): (() => number) => {
  const random = randoms(seed, 40)
  return () => random.whole(0, longestLagMs)
}

/** When the network lists all that an attempt which began now can have published. */
export const certainAt = (now: string): string => later(now, 60_000 + longestOnTheWayMs + longestLagMs)

/** Releases a held post, retries a failed one, or settles an unknown outcome where the user does so. One at a time. */
export async function decide(
  world: World,
  planned: readonly Planned[],
  settles: boolean,
): Promise<'decided' | 'released' | 'nothing'> {
  for (const { postId, account, content, scheduledFor } of planned) {
    const { delivery, attemptId } = await world.post(postId)
    if (delivery === 'held') {
      await world.commands.post(postId, { type: 'ReleasePost', scheduledFor: null }, world.by)
      return 'released'
    }
    if (delivery === 'failed') {
      await world.commands.post(postId, { type: 'RetryPost', scheduledFor: null }, world.by)
      return 'released'
    }
    if (delivery !== 'unknown' || attemptId === null || !settles) continue
    const equals = planned.filter((other) => other.account === account && other.content === content)
    const states = await Promise.all(equals.map((other) => world.post(other.postId)))
    const copies = await listed(world, account.accountId, content)
    const copy = spare(
      copies.filter(({ createdAt }) => createdAt >= scheduledFor),
      states,
    )
    const command: PostCommand = copy
      ? { type: 'ResolveAsLive', attemptId, url: `https://network.test/${copy.id}`, remoteId: copy.id }
      : { type: 'ResolveAsNotLive', attemptId }
    await world.commands.post(postId, command, world.by)
    return 'decided'
  }
  return 'nothing'
}

async function listed(world: World, accountId: string, content: string): Promise<readonly SandboxPost[]> {
  const remoteId = (await world.vault.get(accountId))?.remoteId
  return (await world.sandbox.posts()).filter((copy) => copy.remoteId === remoteId && copy.content === content)
}

/** A copy that is no other post's: of equal texts, the user compares times and counts. */
function spare(copies: readonly SandboxPost[], states: readonly Post[]): SandboxPost | undefined {
  const taken = new Set(states.map(({ remoteId }) => remoteId))
  return copies.find(({ id }) => !taken.has(id))
}
