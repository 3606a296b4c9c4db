/** The sandbox's one SQLite file: its tables, and how texts are encoded. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { isStorable, SqliteFile, type Bindable, type Row } from '../../../domain/event-store/sqlite.ts'
import { takeOver } from './former.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS profiles (
    platform TEXT, remote_id TEXT, kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (platform, remote_id)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS profiles_by_name ON profiles (platform, kind, name);

  CREATE TABLE IF NOT EXISTS consents (id TEXT PRIMARY KEY, platform TEXT NOT NULL, scope TEXT NOT NULL, given_at TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS consent_profiles (
    consent TEXT, place INTEGER, remote_id TEXT NOT NULL, PRIMARY KEY (consent, place)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS consents_of_profile ON consent_profiles (remote_id);
  CREATE TABLE IF NOT EXISTS consent_codes (
    hash TEXT PRIMARY KEY, consent TEXT NOT NULL, client_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, challenge TEXT, expires_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS codes_by_end ON consent_codes (expires_at);

  CREATE TABLE IF NOT EXISTS tokens (
    hash TEXT PRIMARY KEY, consent TEXT NOT NULL, kind TEXT NOT NULL, remote_id TEXT NOT NULL,
    issued_at TEXT NOT NULL, expires_at TEXT, state TEXT NOT NULL DEFAULT 'good'
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tokens_of_consent ON tokens (consent);
  CREATE INDEX IF NOT EXISTS tokens_of_profile ON tokens (remote_id);
  CREATE INDEX IF NOT EXISTS tokens_by_end ON tokens (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE IF NOT EXISTS media (
    id TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL, state TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL,
    caption TEXT, image_url TEXT, image_hash TEXT, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS media_of_profile ON media (platform, remote_id, state, size);
  CREATE INDEX IF NOT EXISTS media_not_posted ON media (created_at) WHERE state <> 'used';
  CREATE INDEX IF NOT EXISTS media_by_image ON media (image_hash) WHERE image_hash IS NOT NULL;
  CREATE TABLE IF NOT EXISTS segments (media TEXT, place INTEGER, bytes TEXT NOT NULL, PRIMARY KEY (media, place));
  CREATE TABLE IF NOT EXISTS images (hash TEXT PRIMARY KEY, type TEXT NOT NULL, bytes TEXT NOT NULL);

  CREATE TABLE IF NOT EXISTS feed (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, platform TEXT NOT NULL, remote_id TEXT NOT NULL,
    content TEXT NOT NULL, written TEXT, image_url TEXT, image_hash TEXT, created_at TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS feed_by_id ON feed (platform, id);
  CREATE INDEX IF NOT EXISTS feed_by_image ON feed (image_hash) WHERE image_hash IS NOT NULL;
  CREATE INDEX IF NOT EXISTS feed_of_profile ON feed (platform, remote_id, created_at, number);`

export class Db {
  readonly #file: SqliteFile

  /** @throws StoreUnavailable when another process holds the file */
  constructor(path: string) {
    this.#file = new SqliteFile(path, { synchronous: 'FULL' })
    this.#file.transaction(() => {
      this.#file.exec(schema)
      takeOver(this.#file)
    })
  }

  /** Runs `work` in one transaction with the other writes of this tick; durable when it resolves. */
  durably<T>(work: () => T): Promise<T> {
    return this.#file.durably(work)
  }

  /** @returns the number of changed rows */
  run(sql: string, ...values: Bindable[]): number {
    return this.#file.prepare(sql).run(values).changes
  }
  /** A text that can't be stored matches no row, so no lookup fails because of it. */
  get(sql: string, ...values: Bindable[]): Row | undefined {
    return values.every(findable) ? this.#file.prepare(sql).get(values) : undefined
  }
  all(sql: string, ...values: Bindable[]): readonly Row[] {
    return values.every(findable) ? this.#file.prepare(sql).all(values) : []
  }
  close(): void {
    this.#file.close()
  }
}

const findable = (value: Bindable) => typeof value !== 'string' || isStorable(value)

/** A new token: too long to be guessed. */
export const secret = () => randomBytes(24).toString('base64url')
export const hashed = (key: string) => createHash('sha256').update(key).digest('hex')

/** As JSON, because a column accepts neither NUL nor lone surrogates, and users' texts may contain both. */
export const written = (text: string) => JSON.stringify(text)
export const read = (text: Bindable | undefined): string => JSON.parse(String(text))
export const textOrNull = (value: Bindable | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

/** Ids like the networks': decimal digits, more than a JavaScript number holds. */
export const numericId = (digits: number): string =>
  Array.from({ length: digits }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')
