/** What is known about an unknown outcome, for the user who decides whether the post is live. */
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { networkNames } from '../../contract/network-names.ts'
import type { PostDelivery } from '../../contract/index.ts'
import { later } from '../../core/clock.ts'
import type { Look } from './outcome-looks.ts'

/** Networks may list a post only after forty minutes: earlier, its absence means little. */
const earlyMs = 3_600_000

interface Attempted {
  readonly platform: Platform
  readonly attemptedAt: Instant
}

export function evidenceOf(
  { platform, attemptedAt }: Attempted,
  look: Look | null,
  now: Instant,
): NonNullable<PostDelivery['evidence']> {
  const earlyUntil = later(attemptedAt, earlyMs)
  return {
    attemptedAt,
    sentence: sentenceOf(networkNames[platform], look),
    lookedAt: look?.at ?? null,
    nextLookAt: look?.nextAt ?? null,
    earlyUntil: earlyUntil > now ? earlyUntil : null,
  }
}

function sentenceOf(name: string, look: Look | null): string {
  if (!look) return `We have not looked for the post on ${name} yet.`
  const often = look.times === 1 ? 'once' : `${look.times} times`
  if (look.cause === null) return `We looked for the post on ${name} ${often}, and the post was not listed.`
  return `We looked for the post on ${name} ${often}. The last time: ${look.cause}`
}
