/** What the sandbox's file held before it had a protocol for each network: taken over once, so that old posts stay. */
import type { SqliteFile } from '../../../../domain/event-store/sqlite.ts'

/** A LinkedIn profile's id has become a URN. */
const remoteId = "CASE platform WHEN 'linkedin' THEN 'urn:li:person:' || remote_id ELSE remote_id END"
const consent = "'former-' || platform || '-' || remote_id"

const moves = `
  INSERT OR IGNORE INTO profiles (platform, remote_id, kind, name) SELECT platform, ${remoteId}, 'profile', name FROM accounts;
  INSERT OR IGNORE INTO consents (id, platform, scope, given_at) SELECT ${consent}, platform, '', '1970-01-01T00:00:00.000Z' FROM accounts;
  INSERT OR IGNORE INTO consent_profiles (consent, place, remote_id) SELECT ${consent}, 0, ${remoteId} FROM accounts;
  INSERT OR IGNORE INTO feed (number, id, platform, remote_id, content, image_url, created_at)
    SELECT number, id, platform, ${remoteId}, content, image_url, created_at FROM posts ORDER BY number;
  DROP TABLE keys; DROP TABLE codes; DROP TABLE posts; DROP TABLE accounts;`

/** Old keys don't come along: they were given for no scope that a network would know, so those accounts are connected again. */
export function takeOver(file: SqliteFile): void {
  const sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('accounts', 'codes', 'keys', 'posts')"
  const [count] = file.prepare(sql).get() ?? []
  if (count === 4) file.exec(moves)
}
