/** Migrates the sandbox's file from before it had a protocol per network: once, and everything keeps working. */
import { platforms, type Platform } from '../../../domain/core/values.ts'
import type { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { facebookDefaults } from '../../networks/facebook/settings.ts'
import { instagramDefaults } from '../../networks/instagram/settings.ts'
import { communityScope, linkedinDefaults } from '../../networks/linkedin/settings.ts'
import { xDefaults } from '../../networks/x/settings.ts'

/** A former token gave access to its one profile, without expiry. */
const scopes: Readonly<Record<Platform, string>> = {
  facebook: facebookDefaults.scopes.join(','),
  instagram: instagramDefaults.scopes.join(','),
  twitter: xDefaults.scopes.join(' '),
  linkedin: `${linkedinDefaults.scope} ${communityScope}`,
}
const then = '1970-01-01T00:00:00.000Z'
const consent = "'former-' || platform || '-' || remote_id"

/** Ids stay unchanged, LinkedIn's too: events contain them, and they identify an account's profile. */
const moves = `
  INSERT OR IGNORE INTO consents (id, platform, scope, given_at) SELECT ${consent}, platform, '', '${then}' FROM accounts;
  INSERT OR IGNORE INTO consent_profiles (consent, place, remote_id) SELECT ${consent}, 0, remote_id FROM accounts;
  INSERT OR IGNORE INTO tokens (hash, consent, kind, remote_id, issued_at, expires_at)
    SELECT hash, ${consent}, CASE platform WHEN 'facebook' THEN 'page' ELSE 'access' END, remote_id, '${then}', NULL FROM keys;
  INSERT OR IGNORE INTO feed (number, id, platform, remote_id, content, image_url, created_at)
    SELECT number, id, platform, remote_id, content, image_url, created_at FROM posts ORDER BY number;
  DROP TABLE keys; DROP TABLE codes; DROP TABLE posts; DROP TABLE accounts;`

/** Whether an id was issued before LinkedIn's profiles had URNs. */
export const isFormerId = (id: string): boolean => /^sbx[0-9a-f]{16}$/.test(id)

/** Within a transaction. */
export function takeOver(file: SqliteFile): void {
  const sql =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('accounts', 'codes', 'keys', 'posts')"
  const [count] = file.prepare(sql).get() ?? []
  if (count !== 4) return
  const profile = file.prepare(
    "INSERT OR IGNORE INTO profiles (platform, remote_id, kind, name) VALUES (?, ?, 'profile', ?)",
  )
  for (const [platform = '', remoteId = '', name] of file
    .prepare('SELECT platform, remote_id, name FROM accounts')
    .all()) {
    // Names were stored as typed, and are now looked up in a normalized form.
    profile.run([
      platform,
      remoteId,
      JSON.stringify(
        String(JSON.parse(String(name)))
          .normalize('NFC')
          .trim(),
      ),
    ])
  }
  file.exec(moves)
  const scope = file.prepare("UPDATE consents SET scope = ? WHERE platform = ? AND id LIKE 'former-%'")
  for (const platform of platforms) scope.run([scopes[platform], platform])
}
