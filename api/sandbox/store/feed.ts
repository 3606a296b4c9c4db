/** All published posts, in the order in which they were accepted. */
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import type { Row } from '../../../domain/event-store/sqlite.ts'
import { later } from '../../core/clock.ts'
import { read, textOrNull, written, type Db } from './db.ts'

export interface SandboxPost {
  readonly id: string
  readonly platform: Platform
  readonly remoteId: string
  /** As readers see it. */
  readonly content: string
  readonly imageUrl: string | null
  /** SHA-256 of the uploaded image, hexadecimal. */
  readonly imageHash: string | null
  readonly createdAt: Instant
}

export interface NewPost extends SandboxPost {
  /** The text as sent, if the network returns it in that form. */
  readonly written?: string
}

/** Newest first; `after` is the place of the previous page's last post. */
export interface PageRequest {
  readonly from?: Instant | undefined
  readonly after?: string | undefined
  /** Posts to skip, for a network with numbered pages. */
  readonly skip?: number
  readonly limit: number
}
export interface FeedPage {
  readonly posts: readonly (SandboxPost & { readonly written: string })[]
  /** Null on the last page. */
  readonly next: string | null
}

const columns = 'id, platform, remote_id, content, image_url, image_hash, created_at'
const ofProfile = 'platform = ? AND remote_id = ?'

/** Networks list a new post a while after they accepted it; in this process only, and by default at once. */
export interface FeedLag {
  readonly now: () => Instant
  /** Milliseconds for the next accepted post. */
  readonly ms: () => number
}

export class Feed {
  readonly #db: Db
  readonly #lag: FeedLag | null
  /** When posts that are not listed yet will be, by id. */
  readonly #listedAt = new Map<string, Instant>()

  constructor(db: Db, lag: FeedLag | null = null) {
    this.#db = db
    this.#lag = lag
  }

  /** Within a transaction. */
  insert({ id, platform, remoteId, content, written: sent, imageUrl, imageHash, createdAt }: NewPost): void {
    this.#db.run(
      `INSERT INTO feed (${columns}, written) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      platform,
      remoteId,
      written(content),
      imageUrl,
      imageHash,
      createdAt,
      sent === undefined ? null : written(sent),
    )
    if (this.#lag) this.#listedAt.set(id, later(createdAt, this.#lag.ms()))
  }

  /** The ids of posts that are not listed yet, as JSON. */
  #unlisted(): string {
    const now = this.#lag?.now() ?? ''
    for (const [id, at] of this.#listedAt) if (at <= now) this.#listedAt.delete(id)
    return JSON.stringify([...this.#listedAt.keys()])
  }

  post(platform: Platform, id: string): SandboxPost | null {
    const row = this.#db.get(`SELECT ${columns} FROM feed WHERE platform = ? AND id = ?`, platform, id)
    return row ? postOf(row) : null
  }

  /** Stops before the limit when the texts exceed `maxPageCharacters`; a page has at least one post. */
  page(platform: Platform, remoteId: string, { from = '', after, skip = 0, limit }: PageRequest): FeedPage {
    const [at = '', number = 0] = after === undefined ? ['9999', Number.MAX_SAFE_INTEGER] : placeOf(after)
    const where = `${ofProfile} AND created_at >= ? AND (created_at, number) < (?, ?)
      AND id NOT IN (SELECT value FROM json_each(?))`
    const place = [platform, remoteId, from, at, number, this.#unlisted()] as const
    const lengths = this.#db.all(
      `SELECT length(content) + coalesce(length(written), 0) FROM feed WHERE ${where} ORDER BY created_at DESC, number DESC LIMIT ? OFFSET ?`,
      ...place,
      limit,
      skip,
    )
    const fitting = Math.max(1, howManyFit(lengths.map(([length]) => Number(length))))
    const rows = this.#db.all(
      `SELECT ${columns}, written, number FROM feed WHERE ${where} ORDER BY created_at DESC, number DESC LIMIT ? OFFSET ?`,
      ...place,
      fitting + 1,
      skip,
    )
    const posts = rows.slice(0, fitting).map((row) => ({ ...postOf(row), written: read(row[7] ?? row[3]) }))
    const last = rows.length > fitting ? rows[fitting - 1] : undefined
    return { posts, next: last ? Buffer.from(`${String(last[6])} ${String(last[8])}`).toString('base64url') : null }
  }

  /** The number of posts since an instant, and the time of the first. */
  count(
    platform: Platform,
    remoteId: string,
    from: Instant,
  ): { readonly posts: number; readonly first: Instant | null } {
    const sql = `SELECT count(*), min(created_at) FROM feed WHERE ${ofProfile} AND created_at >= ?`
    const [posts, first] = this.#db.get(sql, platform, remoteId, from) ?? []
    return { posts: Number(posts), first: textOrNull(first) }
  }

  /** Every post of every profile, in the order in which they were accepted. */
  everything(): SandboxPost[] {
    return this.#db.all(`SELECT ${columns} FROM feed ORDER BY number`).map(postOf)
  }
}

const maxPageCharacters = 1_000_000

/** How many of the texts, from the first on, fit on a page. */
function howManyFit(lengths: readonly number[]): number {
  let sum = 0
  const over = lengths.findIndex((length) => (sum += length) > maxPageCharacters)
  return over < 0 ? lengths.length : over
}

function placeOf(after: string): readonly [string, number] {
  const [at = '', number = ''] = Buffer.from(after, 'base64url').toString().split(' ')
  return /^\d+$/.test(number) ? [at, Number(number)] : ['', 0]
}

const postOf = ([id, platform, remoteId, content, imageUrl, imageHash, createdAt]: Row): SandboxPost => ({
  id: String(id),
  platform: platform as Platform,
  remoteId: String(remoteId),
  content: read(content),
  imageUrl: textOrNull(imageUrl),
  imageHash: textOrNull(imageHash),
  createdAt: String(createdAt),
})
