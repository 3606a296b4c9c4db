/** Uploads and containers until they are published, and the images that the feeds show. */
import type { Instant } from '../../../../domain/core/event.ts'
import type { Platform } from '../../../../domain/core/values.ts'
import { factsOf } from '../../../media/image.ts'
import { read, textOrNull, written, type Db } from './db.ts'

/** waiting: for its bytes. working: the network is busy with it. ready, used: published with a post. failed: no image. */
export type MediaState = 'waiting' | 'working' | 'ready' | 'used' | 'failed'

export interface SandboxMedia {
  readonly id: string
  readonly platform: Platform
  readonly remoteId: string
  readonly state: MediaState
  /** A media type, e.g. `image/png`; empty until the bytes have told it. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  readonly caption: string | null
  readonly imageUrl: string | null
  readonly imageHash: string | null
  readonly createdAt: Instant
}

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

  add(media: SandboxMedia): Promise<void> {
    const { id, platform, remoteId, state, type, size, caption, imageUrl, imageHash, createdAt } = media
    return this.#db.durably(() => {
      this.#db.run(
        `INSERT INTO media (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id, platform, remoteId, state, type, size, caption === null ? null : written(caption), imageUrl, imageHash, createdAt,
      )
    })
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

  addSegment(id: string, place: number, bytes: Uint8Array): Promise<void> {
    const text = Buffer.from(bytes).toString('base64')
    return this.#db.durably(() => void this.#db.run('INSERT OR REPLACE INTO segments (media, place, bytes) VALUES (?, ?, ?)', id, place, text))
  }

  /** The bytes that came in segments, in order. */
  segments(id: string): Buffer {
    const rows = this.#db.all('SELECT bytes FROM segments WHERE media = ? ORDER BY place', id)
    return Buffer.concat(rows.map(([bytes]) => Buffer.from(String(bytes), 'base64')))
  }

  /** Keeps the bytes of an upload; what is no image fails. */
  async fill(id: string, bytes: Uint8Array<ArrayBuffer>, next: 'working' | 'ready'): Promise<MediaState> {
    const facts = factsOf(bytes)
    const state = facts ? next : 'failed'
    const text = facts ? Buffer.from(bytes).toString('base64') : ''
    await this.#db.durably(() => {
      if (facts) this.#db.run('INSERT OR IGNORE INTO images (hash, type, bytes) VALUES (?, ?, ?)', facts.hash, facts.type, text)
      this.#db.run('UPDATE media SET state = ?, type = ?, size = ?, image_hash = ? WHERE id = ?', state, facts?.type ?? '', bytes.length, facts?.hash ?? null, id)
      this.#db.run('DELETE FROM segments WHERE media = ?', id)
    })
    return state
  }

  image(hash: string): { readonly type: string; readonly bytes: Buffer } | null {
    const [type, bytes] = this.#db.get('SELECT type, bytes FROM images WHERE hash = ?', hash) ?? []
    return type === undefined ? null : { type: String(type), bytes: Buffer.from(String(bytes), 'base64') }
  }
}
