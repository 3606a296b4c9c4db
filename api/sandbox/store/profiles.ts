/** Profiles on the sandbox networks, each with an id in its network's format. */
import { createHash } from 'node:crypto'
import { normalForm } from '../../../domain/core/normal-form.ts'
import type { Platform } from '../../../domain/core/values.ts'
import type { Row } from '../../../domain/event-store/sqlite.ts'
import { read, written, type Db } from './db.ts'

/** LinkedIn has members and organizations; the others have one kind. */
export type ProfileKind = 'profile' | 'organization'

export interface SandboxProfile {
  readonly platform: Platform
  readonly remoteId: string
  readonly kind: ProfileKind
  readonly name: string
}
export type SandboxAccount = SandboxProfile & { readonly posts: number }

/** The same name on the same platform is always the same profile, so that reconnecting changes nothing. */
export function remoteIdOf(platform: Platform, accountName: string, kind: ProfileKind = 'profile'): string {
  const bytes = createHash('sha256')
    .update(`${platform}\n${kind}\n${tidied(accountName)}`)
    .digest()
  const digits = (count: number) => bytes.readBigUInt64BE().toString().padStart(20, '0').slice(-count)
  if (platform === 'facebook') return `61${digits(13)}`
  if (platform === 'instagram') return `17841${digits(12)}`
  if (platform === 'twitter') return `17${digits(17)}`
  return kind === 'organization'
    ? `urn:li:organization:1${digits(9)}`
    : `urn:li:person:${bytes.toString('hex').slice(0, 10)}`
}

const tidied = (name: string) => normalForm('NFC', name).trim()

/** A name as the networks shorten it for a URL: letters, digits and _, at most 15. */
export function handleOf({ name, remoteId }: SandboxProfile): string {
  const plain = normalForm('NFKD', name)
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toLowerCase()
    .slice(0, 15)
  return plain === '' ? `user_${remoteId.replaceAll(/\W/g, '').slice(-9)}` : plain
}

const columns = 'platform, remote_id, kind, name'

/** The maximum number of profiles in one sandbox: enough for 2,000 agencies with ten clients each. */
export const maxProfiles = 20_000

export class Profiles {
  readonly #db: Db
  constructor(db: Db) {
    this.#db = db
  }

  /** Within a transaction: the profile with that name, created if missing. */
  ensure(platform: Platform, name: string, kind: ProfileKind): string {
    const kept = written(tidied(name))
    const [known] =
      this.#db.get(
        'SELECT remote_id FROM profiles WHERE platform = ? AND kind = ? AND name = ?',
        platform,
        kind,
        kept,
      ) ?? []
    if (known !== undefined) return String(known)
    const remoteId = remoteIdOf(platform, name, kind)
    this.#db.run(`INSERT OR IGNORE INTO profiles (${columns}) VALUES (?, ?, ?, ?)`, platform, remoteId, kind, kept)
    return remoteId
  }

  /** Whether this many more profiles may be created. */
  hasRoom(count: number): boolean {
    const [known] = this.#db.get('SELECT count(*) FROM profiles') ?? []
    return Number(known) + count <= maxProfiles
  }

  profile(platform: Platform, remoteId: string): SandboxProfile | null {
    const row = this.#db.get(`SELECT ${columns} FROM profiles WHERE platform = ? AND remote_id = ?`, platform, remoteId)
    return row ? profileOf(row) : null
  }

  /** The profiles of a consent, in the order in which they were named. */
  of(consent: string): SandboxProfile[] {
    const sql = `SELECT p.platform, p.remote_id, p.kind, p.name FROM consent_profiles c
      JOIN consents k ON k.id = c.consent JOIN profiles p ON p.platform = k.platform AND p.remote_id = c.remote_id
      WHERE c.consent = ? ORDER BY c.place`
    return this.#db.all(sql, consent).map(profileOf)
  }

  covers(consent: string, remoteId: string): boolean {
    return (
      this.#db.get('SELECT 1 FROM consent_profiles WHERE remote_id = ? AND consent = ?', remoteId, consent) !==
      undefined
    )
  }

  /** The first profiles by network and name, with the number of posts of each. */
  accounts(limit: number): SandboxAccount[] {
    const posts = '(SELECT count(*) FROM feed f WHERE f.platform = p.platform AND f.remote_id = p.remote_id)'
    return this.#db
      .all(`SELECT ${columns}, ${posts} FROM profiles p ORDER BY platform, kind DESC, name, remote_id LIMIT ?`, limit)
      .map(accountOf)
  }
  account(platform: Platform, remoteId: string): SandboxAccount | null {
    const posts = '(SELECT count(*) FROM feed f WHERE f.platform = p.platform AND f.remote_id = p.remote_id)'
    const row = this.#db.get(
      `SELECT ${columns}, ${posts} FROM profiles p WHERE platform = ? AND remote_id = ?`,
      platform,
      remoteId,
    )
    return row ? accountOf(row) : null
  }
}

const profileOf = ([platform, remoteId, kind, name]: Row): SandboxProfile => ({
  platform: platform as Platform,
  remoteId: String(remoteId),
  kind: kind as ProfileKind,
  name: read(name),
})
const accountOf = (row: Row): SandboxAccount => ({ ...profileOf(row), posts: Number(row[4]) })
