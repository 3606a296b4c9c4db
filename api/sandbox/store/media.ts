/** Uploads and containers until they are published, and the images in the feeds. */
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { factsOf } from '../../features/media/image.ts'
import { later } from '../../core/clock.ts'
import { read, textOrNull, written, type Db } from './db.ts'

/** waiting: for its bytes. working: being processed. ready, used: published with a post. failed: not an image. */
export type MediaState = 'waiting' | 'working' | 'ready' | 'used' | 'failed'

export interface SandboxMedia {
  readonly id: string
  readonly platform: Platform
  readonly remoteId: string
  readonly state: MediaState
  /** A media type, e.g. `image/png`; empty until the bytes are known. */
  readonly type: string
  /** In bytes. */
  readonly size: number
  readonly caption: string | null
  readonly imageUrl: string | null
  readonly imageHash: string | null
  readonly createdAt: Instant
}

/** The maximum of one profile's media without a post. */
export const maxUnposted = { count: 2_000, bytes: 256 * 1024 * 1024 } as const
const dayMs = 24 * 3_600_000
/** A container holds no bytes, and stays long enough to be reported as expired. */
const containerLifeMs = 30 * dayMs
const sweptAtOnce = 100
/** Divisible by three. */
const partBytes = 768 * 1024

/** An upload that waits for its bytes. */
export const upload = (own: Pick<SandboxMedia, 'id' | 'platform' | 'remoteId' | 'createdAt'>): SandboxMedia => ({
  ...own,
  state: 'waiting',
  type: '',
  size: 0,
  caption: null,
  imageUrl: null,
  imageHash: null,
})

const columns = 'id, platform, remote_id, state, type, size, caption, image_url, image_hash, created_at'

export class Media {
  readonly #db: Db
  constructor(db: Db) {
    this.#db = db
  }

  /** False when the profile stores too much already. Also deletes expired media of all profiles. */
  add(media: SandboxMedia): Promise<boolean> {
    const { id, platform, remoteId, state, type, size, caption, imageUrl, imageHash, createdAt } = media
    return this.#db.durably(() => {
      this.#sweep(createdAt)
      if (!this.#hasRoom(media, 1, platform === 'instagram' ? 0 : size)) return false
      this.#db.run(
        `INSERT INTO media (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        platform,
        remoteId,
        state,
        type,
        size,
        caption === null ? null : written(caption),
        imageUrl,
        imageHash,
        createdAt,
      )
      return true
    })
  }

  /** Within a transaction. For a container, the size of the image that it references. */
  #hasRoom({ platform, remoteId }: Pick<SandboxMedia, 'platform' | 'remoteId'>, more: number, bytes: number): boolean {
    const sql = `SELECT count(*), coalesce(sum(size), 0) FROM media
      WHERE platform = ? AND remote_id = ? AND state IN ('waiting', 'working', 'ready', 'failed')`
    const [count, kept] = this.#db.get(sql, platform, remoteId) ?? []
    const isFull = platform !== 'instagram' && Number(kept) + bytes > maxUnposted.bytes
    return !isFull && Number(count) + more <= maxUnposted.count
  }

  /** Within a transaction. */
  #sweep(now: Instant): void {
    const old = this.#db.all(
      `SELECT id, image_hash FROM media WHERE state <> 'used' AND created_at < ? AND (platform <> 'instagram' OR created_at < ?) LIMIT ${sweptAtOnce}`,
      later(now, -dayMs),
      later(now, -containerLifeMs),
    )
    for (const [id = '', hash = null] of old) {
      this.#db.run('DELETE FROM media WHERE id = ?', id)
      this.#db.run('DELETE FROM segments WHERE media = ?', id)
      if (hash === null) continue
      const elsewhere = ['feed', 'media'].map(
        (table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE image_hash = images.hash)`,
      )
      this.#db.run(`DELETE FROM images WHERE hash = ? AND ${elsewhere.join(' AND ')}`, hash)
    }
  }

  find(platform: Platform, id: string): SandboxMedia | null {
    const row = this.#db.get(`SELECT ${columns} FROM media WHERE id = ? AND platform = ?`, id, platform)
    if (!row) return null
    const [, , remoteId, state, type, size, caption, imageUrl, imageHash, createdAt] = row
    return {
      id,
      platform,
      remoteId: String(remoteId),
      state: state as MediaState,
      type: String(type),
      size: Number(size),
      caption: caption === null ? null : read(caption),
      imageUrl: textOrNull(imageUrl),
      imageHash: textOrNull(imageHash),
      createdAt: String(createdAt),
    }
  }

  /** Within a transaction. */
  turn(id: string, state: MediaState): void {
    this.#db.run('UPDATE media SET state = ? WHERE id = ?', state, id)
  }

  move(id: string, state: MediaState): Promise<void> {
    return this.#db.durably(() => this.turn(id, state))
  }

  /** False when the segments exceed the announced size; a segment at an existing place replaces it. */
  addSegment({ id, size }: Pick<SandboxMedia, 'id' | 'size'>, place: number, bytes: Uint8Array): Promise<boolean> {
    const text = Buffer.from(bytes).toString('base64')
    return this.#db.durably(() => {
      const length = "length(bytes) / 4 * 3 - (length(bytes) - length(rtrim(bytes, '=')))"
      const [others] =
        this.#db.get(`SELECT coalesce(sum(${length}), 0) FROM segments WHERE media = ? AND place <> ?`, id, place) ?? []
      if (Number(others) + bytes.length > size) return false
      this.#db.run('INSERT OR REPLACE INTO segments (media, place, bytes) VALUES (?, ?, ?)', id, place, text)
      return true
    })
  }

  /** The bytes of all segments, in order. */
  segments(id: string): Buffer {
    const rows = this.#db.all('SELECT bytes FROM segments WHERE media = ? ORDER BY place', id)
    return Buffer.concat(rows.map(([bytes]) => Buffer.from(String(bytes), 'base64')))
  }

  /** Stores the bytes of an upload; an invalid image fails. Null when the profile stores too much already. */
  fill(media: SandboxMedia, bytes: Uint8Array<ArrayBuffer>, next: 'working' | 'ready'): Promise<MediaState | null> {
    const { id, size } = media
    const facts = factsOf(bytes)
    const state = facts ? next : 'failed'
    const text = facts ? Buffer.from(bytes).toString('base64') : ''
    return this.#db.durably(() => {
      if (facts && !this.#hasRoom(media, 0, bytes.length - size)) return null
      if (facts)
        this.#db.run('INSERT OR IGNORE INTO images (hash, type, bytes) VALUES (?, ?, ?)', facts.hash, facts.type, text)
      this.#db.run(
        'UPDATE media SET state = ?, type = ?, size = ?, image_hash = ? WHERE id = ?',
        state,
        facts?.type ?? '',
        facts ? bytes.length : 0,
        facts?.hash ?? null,
        id,
      )
      this.#db.run('DELETE FROM segments WHERE media = ?', id)
      return state
    })
  }

  /** An image's type and its size in bytes. */
  image(hash: string): { readonly type: string; readonly size: number } | null {
    const [type, length, ending] =
      this.#db.get('SELECT type, length(bytes), substr(bytes, -2) FROM images WHERE hash = ?', hash) ?? []
    if (type === undefined) return null
    const text = String(ending)
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
    return { type: String(type), size: (Number(length) / 4) * 3 - padding }
  }

  /** The bytes of an image in parts, so that a stalled client holds only one part in memory. */
  *imageParts(hash: string, size: number): Generator<Buffer> {
    for (let at = 0; at < size; at += partBytes) {
      // Four base64 characters encode three bytes.
      const [text] =
        this.#db.get(
          'SELECT substr(bytes, ?, ?) FROM images WHERE hash = ?',
          (at / 3) * 4 + 1,
          (partBytes / 3) * 4,
          hash,
        ) ?? []
      if (text === undefined) return
      yield Buffer.from(String(text), 'base64')
    }
  }
}
