/**
 * Which modules may hold an expression that repeats something without an end, or that is put together when the program
 * runs. A new one has to be added to a list, and in a module of the first list every expression is checked.
 */

/**
 * Expressions over what comes from outside: people, files, mails, headers, paths, networks, models. Each group has a
 * test file of its own, because recheck takes seconds for some.
 */
export const overForeignText = {
  networks: [
    'api/networks/facebook/connector.ts',
    'api/networks/http.ts',
    'api/networks/linkedin/profiles.ts',
    'api/networks/linkedin/text.ts',
    'api/networks/lookup.ts',
    'api/networks/sandbox/facebook/routes.ts',
    'api/networks/sandbox/instagram/routes.ts',
    'api/networks/sandbox/instagram/tokens.ts',
    'api/networks/sandbox/linkedin/statistics.ts',
    'api/networks/sandbox/meta.ts',
    'api/networks/sandbox/pages/consent.ts',
    'api/networks/sandbox/ports.ts',
    'api/networks/sandbox/store/feed.ts',
    'api/networks/sandbox/store/profiles.ts',
    'api/networks/sandbox/x/text.ts',
    'api/networks/sandbox/x/tokens.ts',
    'api/networks/spied.ts',
    'api/networks/x/connector.ts',
    'api/networks/x/text.ts',
  ],
  writer: [
    'api/writer/amounts.ts',
    'api/writer/answer.ts',
    'api/writer/invented.ts',
    'api/writer/openai-errors.ts',
    'api/writer/phone-numbers.ts',
    'api/writer/placeholders.ts',
    'api/writer/template-rewrite.ts',
    'api/writer/template.ts',
  ],
  others: [
    'api/auth/sessions.ts',
    'api/http/invalid.ts',
    'api/limits/source.ts',
    'api/mail/addressed.ts',
    'api/posts/import/dates.ts',
    'api/posts/import/rows.ts',
    'api/posts/why-not.ts',
    'domain/core/links-on-x.ts',
    'domain/core/normal-form.ts',
    'domain/core/preflight.ts',
    'domain/core/text-limits.ts',
    'web/app/shortcuts.ts',
    'web/features/client/Composer.tsx',
    'web/features/client/schedule/use-schedule-form.ts',
    'web/features/client/use-composer.ts',
    'web/lib/error-text.ts',
    'web/lib/guessable.ts',
    'web/lib/writing-events.ts',
    'web/ui/posts/ResolvePanel.tsx',
    'web/ui/posts/provenance-words.ts',
    'web/ui/posts/text-difference.ts',
  ],
} as const
export type Group = keyof typeof overForeignText

/** Expressions over the product's own words and the operator's settings, by what they read. */
export const overOwnText: Readonly<Record<string, string>> = {
  'api/backup/copy.ts': "names of the backup's own files, and SQLite's messages",
  'api/backup/manifest.ts': "names of the backup's own files",
  'api/caller.ts': "the contract's paths, and the sandbox's own consent page",
  'api/config.ts': 'settings',
  'api/http/bind.ts': "the contract's paths",
  'api/http/web-app.ts': "the web app's own paths and page; one `[^/]+` between slashes",
  'api/mail/config.ts': 'settings',
  'api/metrics.ts': 'event types',
  'api/networks/config.ts': 'settings',
  'api/networks/sandbox/networks.ts': 'settings',
  'api/networks/sandbox/server.ts': 'settings, and addresses that the sandbox made',
  'api/own-address.ts': 'settings',
  'api/records/embedded.ts': 'names of tables and fields',
  'api/records/mongodb.ts': 'names of tables and fields',
  'api/secrets.ts': "the settings' own sentences",
  'domain/event-store/eventstoredb-address.ts': 'settings',
  'domain/event-store/sqlite.ts': "the product's own SQL",
  'projections/core/beside.ts': 'names of collections',
  'projections/read-store/embedded.ts': 'names of collections',
  'projections/read-store/mongodb-address.ts': 'settings',
  'projections/read-store/mongodb-connection.ts': 'settings',
  'projections/read-store/mongodb-query.ts': 'names of fields',
  'projections/read-store/mongodb.ts': 'names of collections',
  'projections/read-store/sql.ts': 'names of fields',
  'web/build/chunks.ts': "the build's own file names",
  'web/build/first-load.ts': "the build's own file names",
  'web/lib/call.ts': "the contract's paths",
  'web/ui/posts/history-runs.ts': 'event types',
  'web/ui/posts/history-words.ts': 'event types',
}
