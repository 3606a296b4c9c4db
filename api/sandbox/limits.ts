/** How many posts a profile may publish per period, counted like each network. Off by default: nothing is limited. */
import { z } from 'zod'
import type { Instant } from '../../domain/core/event.ts'
import { platformSchema, type Platform } from '../../domain/core/values.ts'
import { later } from '../core/clock.ts'
import type { Feed } from './store/feed.ts'

export interface Limit {
  readonly posts: number
  readonly windowMs: number
}
export type LimitTable = Partial<Readonly<Record<Platform, Limit>>>

export const limitSchema = z.object({ platform: platformSchema, posts: z.int().min(0), windowMs: z.int().min(1) })

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** The latest time at which a post is accepted again. */
  readonly resetsAt: Instant
  readonly windowMs: number
}

/** X and LinkedIn count per calendar period (quarter of an hour, day); Meta's networks use a rolling window. */
const byTheClock: ReadonlySet<Platform> = new Set(['twitter', 'linkedin'])

export class Limits {
  readonly #table: Map<Platform, Limit>
  readonly #feed: Feed
  constructor(table: LimitTable, feed: Feed) {
    this.#table = new Map(Object.entries(table).map(([platform, limit]) => [platformSchema.parse(platform), limit]))
    this.#feed = feed
  }

  set(platform: Platform, limit: Limit): void {
    this.#table.set(platform, limit)
  }

  /** Null: unlimited. */
  allowance(platform: Platform, remoteId: string, now: Instant): Allowance | null {
    const rule = this.#table.get(platform)
    if (!rule) return null
    const { posts: limit, windowMs } = rule
    const time = Date.parse(now)
    const from = byTheClock.has(platform) ? time - (time % windowMs) : time - windowMs + 1
    const { posts, first } = this.#feed.count(platform, remoteId, new Date(from).toISOString())
    const start = byTheClock.has(platform) ? new Date(from).toISOString() : (first ?? now)
    return { limit, windowMs, remaining: Math.max(0, limit - posts), resetsAt: later(start, windowMs) }
  }
}

/** Whole seconds until an instant, at least one. */
export const secondsUntil = (at: Instant, now: Instant): number =>
  Math.max(1, Math.ceil((Date.parse(at) - Date.parse(now)) / 1000))
