/** What the sandbox remembers: profiles, consents, keys and posts, durably in one file of its own. */
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { SqliteFile, type Bindable, type Row } from '../../../domain/event-store/sqlite.ts'
import { later } from '../../clock.ts'

export interface SandboxAccount {
  readonly platform: Platform
  readonly remoteId: string
  readonly name: string
  readonly posts: number
}

export interface SandboxPost {
  readonly id: string
  readonly platform: Platform
  readonly remoteId: string
  readonly content: string
  readonly imageUrl: string | null
  readonly createdAt: Instant
}

/** The same name on the same platform is always the same profile, so that reconnecting changes nothing. */
export function remoteIdOf(platform: Platform, accountName: string): string {
  const name = accountName.normalize('NFC').trim()
  return `sbx${createHash('sha256').update(`${platform}\n${name}`).digest('hex').slice(0, 16)}`
}

const codeLifeMs = 5 * 60_000

const schema = `
  CREATE TABLE IF NOT EXISTS accounts (platform TEXT, remote_id TEXT, name TEXT NOT NULL, PRIMARY KEY (platform, remote_id));
  CREATE TABLE IF NOT EXISTS codes (
    code TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, expires_at TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS keys (hash TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS posts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, platform TEXT NOT NULL, remote_id TEXT NOT NULL,
    content TEXT NOT NULL, image_url TEXT, created_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS posts_of_account ON posts (platform, remote_id, created_at, number);`

const postColumns = 'id, platform, remote_id, content, image_url, created_at'

export class SandboxFeed {
  readonly #db: SqliteFile

  /** @throws StoreUnavailable when another process holds the file */
  constructor(file: string) {
    this.#db = new SqliteFile(file, { synchronous: 'FULL' })
    this.#db.exec(schema)
  }

  /** Remembers the profile and answers a code that is good for one exchange within five minutes. */
  consent(platform: Platform, accountName: string, redirectUri: string, now: Instant): Promise<string> {
    const code = secret()
    const remoteId = remoteIdOf(platform, accountName)
    return this.#db.durably(() => {
      this.#run('INSERT OR IGNORE INTO accounts (platform, remote_id, name) VALUES (?, ?, ?)', platform, remoteId, written(accountName))
      this.#run('DELETE FROM codes WHERE expires_at <= ?', now)
      this.#run(
        'INSERT INTO codes (code, platform, remote_id, redirect_uri, expires_at) VALUES (?, ?, ?, ?, ?)',
        code, platform, remoteId, redirectUri, later(now, codeLifeMs),
      )
      return code
    })
  }

  /** Trades a code for a key; null when the code is unknown, used, expired or was asked for elsewhere. */
  exchange(platform: Platform, code: string, redirectUri: string, now: Instant) {
    const key = secret()
    return this.#db.durably(() => {
      const [remoteId] =
        this.#get(
          'SELECT remote_id FROM codes WHERE code = ? AND platform = ? AND redirect_uri = ? AND expires_at > ?',
          code, platform, redirectUri, now,
        ) ?? []
      if (remoteId === undefined) return null
      this.#run('DELETE FROM codes WHERE code = ?', code)
      this.#run('INSERT INTO keys (hash, platform, remote_id) VALUES (?, ?, ?)', hashed(key), platform, remoteId)
      return { accessToken: key, remoteId: String(remoteId) }
    })
  }

  /** The profile that a key is for; null for an unknown key. */
  profileOf(platform: Platform, key: string): string | null {
    const [remoteId] = this.#get('SELECT remote_id FROM keys WHERE hash = ? AND platform = ?', hashed(key), platform) ?? []
    return remoteId === undefined ? null : String(remoteId)
  }

  /** Takes a post: it is in the feed exactly when this settles. */
  take(post: Omit<SandboxPost, 'id'>): Promise<SandboxPost> {
    const taken: SandboxPost = { ...post, id: `p${randomBytes(8).toString('hex')}` }
    const { id, platform, remoteId, content, imageUrl, createdAt } = taken
    return this.#db.durably(() => {
      this.#run(
        `INSERT INTO posts (${postColumns}) VALUES (?, ?, ?, ?, ?, ?)`,
        id, platform, remoteId, written(content), imageUrl, createdAt,
      )
      return taken
    })
  }

  post(platform: Platform, id: string): SandboxPost | null {
    const row = this.#get(`SELECT ${postColumns} FROM posts WHERE id = ? AND platform = ?`, id, platform)
    return row ? postOf(row) : null
  }

  /** An account's posts at or after an instant, oldest first. */
  since(platform: Platform, remoteId: string, from: Instant, limit: number, skip: number): SandboxPost[] {
    return this.#all(
      `SELECT ${postColumns} FROM posts WHERE platform = ? AND remote_id = ? AND created_at >= ? ORDER BY created_at, number LIMIT ? OFFSET ?`,
      platform, remoteId, from, limit, skip,
    ).map(postOf)
  }

  /** An account's newest posts, newest first. */
  newest(platform: Platform, remoteId: string, limit: number): SandboxPost[] {
    return this.#all(
      `SELECT ${postColumns} FROM posts WHERE platform = ? AND remote_id = ? ORDER BY created_at DESC, number DESC LIMIT ?`,
      platform, remoteId, limit,
    ).map(postOf)
  }

  /** Every post of every account, in the order in which they were taken. */
  everything(): SandboxPost[] {
    return this.#all(`SELECT ${postColumns} FROM posts ORDER BY number`).map(postOf)
  }

  account(platform: Platform, remoteId: string): SandboxAccount | null {
    return this.accounts().find((account) => account.platform === platform && account.remoteId === remoteId) ?? null
  }

  accounts(): SandboxAccount[] {
    return this.#all(
      `SELECT platform, remote_id, name,
        (SELECT count(*) FROM posts p WHERE p.platform = a.platform AND p.remote_id = a.remote_id)
       FROM accounts a ORDER BY platform, name, remote_id`,
    ).map(([platform, remoteId, name, posts]) => ({
      platform: platform as Platform,
      remoteId: String(remoteId),
      name: read(name),
      posts: Number(posts),
    }))
  }

  close(): void {
    this.#db.close()
  }

  #run(sql: string, ...values: Bindable[]): void {
    this.#db.prepare(sql).run(values)
  }
  #get(sql: string, ...values: Bindable[]): Row | undefined {
    return this.#db.prepare(sql).get(values)
  }
  #all(sql: string, ...values: Bindable[]): readonly Row[] {
    return this.#db.prepare(sql).all(values)
  }
}

const secret = () => randomBytes(24).toString('base64url')
const hashed = (key: string) => createHash('sha256').update(key).digest('hex')

/** As JSON, because a column takes neither NUL nor half a surrogate pair, and people's texts may have both. */
const written = (text: string) => JSON.stringify(text)
const read = (text: Bindable | undefined): string => JSON.parse(String(text))

const postOf = ([id, platform, remoteId, content, imageUrl, createdAt]: Row): SandboxPost => ({
  id: String(id),
  platform: platform as Platform,
  remoteId: String(remoteId),
  content: read(content),
  imageUrl: imageUrl === null ? null : String(imageUrl),
  createdAt: String(createdAt),
})
