/**
 * What each setting means, for operators: `.env.example` and `docs/configuration.md` are made from it and from the
 * schema.
 */

import { facebookDefaults } from '../networks/facebook/settings.ts'
import { instagramDefaults } from '../networks/instagram/settings.ts'
import { linkedinDefaults } from '../networks/linkedin/settings.ts'
import { xDefaults } from '../networks/x/settings.ts'

export interface SettingNote {
  readonly name: string
  readonly meaning: string
  /** Shown where the schema has no default of its own. */
  readonly default?: string
}

export interface SettingGroup {
  readonly title: string
  /** Paragraphs in Markdown. */
  readonly text: string
  readonly settings: readonly SettingNote[]
}

const note = (name: string, meaning: string, shownDefault?: string): SettingNote =>
  shownDefault === undefined ? { name, meaning } : { name, meaning, default: shownDefault }

const callback = '`<PUBLIC_URL>/api/oauth/<facebook|instagram|twitter|linkedin>/callback`'

export const settingGroups: readonly SettingGroup[] = [
  {
    title: 'Server',
    text: '',
    settings: [
      note('PORT', 'Port to listen on'),
      note('HOST', 'Address to listen on'),
      note('DATA_DIR', 'Folder of all data. Exactly one process owns it'),
      note(
        'PUBLIC_URL',
        'Address that browsers use. With `https:` cookies are marked secure. Passkeys belong to its host name: another one makes them useless, and an IP address has none',
        'http://localhost:<PORT>',
      ),
      note('TRUST_PROXY', "`true`: take the caller's address from the last entry of `X-Forwarded-For`"),
      note('NODE_ENV', '`production` requires the three secrets below', 'unset'),
      note(
        'LOG_LEVEL',
        '`silent`, `error`, `warn`, `info` or `debug`. Security lines appear at every level but `silent`',
      ),
      note(
        'METRICS_TOKEN',
        'Bearer token of `/metrics`, at least 16 characters. Without it `/metrics` answers on loopback addresses only',
        'none',
      ),
    ],
  },
  {
    title: 'Secrets',
    text: 'Without these settings the server makes the secrets at its first start and keeps them in `DATA_DIR/secrets`. [Operations](operations.md#rotate-keys) describes how to change them.',
    settings: [
      note('SESSION_SECRET', 'Encrypts session cookies. At least 32 characters', 'made at the first start'),
      note('SESSION_SECRETS_OLD', 'Earlier session secrets, separated by commas. Their cookies stay valid', 'none'),
      note(
        'SESSION_IDLE_DAYS',
        'Days after which an unused session ends, 1 to 14. No session lasts longer than 14 days',
      ),
      note(
        'ENCRYPTION_KEY',
        "Encrypts the networks' tokens and the secrets of authenticator apps. 64 hexadecimal digits",
        'made at the first start',
      ),
      note(
        'ENCRYPTION_KEYS_OLD',
        'Earlier encryption keys, separated by commas, until `npm run tokens -- rotate` has run',
        'none',
      ),
      note(
        'AUDIT_SIGNING_KEY',
        "Signs checkpoints, exports and auditors' links (Ed25519). 64 hexadecimal digits",
        'made at the first start',
      ),
      note('AUDIT_SIGNING_KEYS_OLD', 'Earlier signing keys, separated by commas. Their signatures stay valid', 'none'),
    ],
  },
  {
    title: 'Stores of the distributed shape',
    text: 'Set both addresses, or neither. Without them one process keeps everything in SQLite files.',
    settings: [
      note('EVENTSTORE_URL', 'EventStoreDB, like `esdb://socialai:password@eventstore:2113?tls=true`', 'none'),
      note('MONGODB_URL', 'MongoDB with a database, like `mongodb://mongo:27017/socialai`', 'none'),
      note(
        'SANDBOX_URL',
        'Address at which browsers reach a sandbox that runs as a process of its own, like `http://localhost:8080/sandbox`',
        'none',
      ),
      note(
        'SANDBOX_INTERNAL_URL',
        'Address at which processes call that sandbox, like `http://sandbox:3000/sandbox`',
        'SANDBOX_URL',
      ),
      note(
        'PUBLIC_INTERNAL_URL',
        'Address at which that sandbox fetches images that are published at `PUBLIC_URL`, like `http://api:3000`',
        'PUBLIC_URL',
      ),
    ],
  },
  {
    title: 'Limits of each agency',
    text: 'Days begin at 00:00 UTC. The log budget never refuses deletions, withdrawals, payments and outcomes of publishing.',
    settings: [
      note(
        'REQUESTS_PER_MINUTE',
        'Points a minute and process. A read costs 1 point, a change 5. An address without a session has a fifth',
      ),
      note('LOG_MB_PER_DAY', 'Megabytes that people and schedules may add to the log a day'),
      note('TEXTS_PER_DAY', 'Texts that people may generate a day'),
      note(
        'SCHEDULE_TEXTS_PER_DAY',
        'Texts that posting schedules may generate a day. The rest waits for the next day',
      ),
      note('IMAGES_MOST_MB', 'Megabytes of images that an agency may keep'),
    ],
  },
  {
    title: 'Backups',
    text: 'See [backup and restore](backup-restore.md).',
    settings: [
      note('BACKUP', '`daily` or `off`, in the embedded shape'),
      note('BACKUP_DIR', 'Folder of the backups. No other installation may use it', 'DATA_DIR/backups'),
      note('BACKUPS_KEPT', 'How many backups are kept'),
    ],
  },
  {
    title: 'Publishing and images',
    text: '',
    settings: [
      note('PUBLISH_POLL_MS', 'Milliseconds between two looks for due posts'),
      note(
        'COLLECT_AFTER_SECONDS',
        'Seconds after publishing at which figures are read, like `60,3600`',
        '1 h, 6 h, 24 h, then daily for 30 days',
      ),
      note('SANDBOX_LIMITS', '`true`: the sandbox refuses too many posts, as the networks do'),
      note('IMAGES_FROM_PRIVATE_NETWORKS', '`true`: images may come from addresses inside your own network'),
      note('UPLOAD_DIR', 'Folder on a disk that receives uploads, 256 MB at most at a time', 'DATA_DIR/uploads'),
    ],
  },
  {
    title: 'AI',
    text: 'With a key a model writes the texts. Without one the screens say that AI is not connected, and a built-in writer composes texts from the client profile. A faulty answer is asked for once more. *Settings* shows texts and tokens of each month.',
    settings: [
      note('OPENAI_API_KEY', 'Key of the AI service', 'none'),
      note('OPENAI_BASE_URL', 'Another server with the same protocol (chat completions)', 'https://api.openai.com/v1'),
      note('OPENAI_MODEL', 'Name of the model'),
      note('OPENAI_TIMEOUT_MS', 'Milliseconds that one answer may take'),
    ],
  },
  {
    title: 'Email',
    text: 'The server mails links to set a forgotten password or to confirm an address, and notices of changed accounts. It sends passwords over encrypted connections only (STARTTLS or TLS), except to this machine itself. A letter is stored, encrypted, before the request is answered, and tried eight times within a day; the log then names the failure, never the address or the link. In the distributed shape the workers send, so they need these settings too.\n\nWithout `SMTP_URL` an embedded server writes each letter to a file in `DATA_DIR/outbox` (the newest 200), where you can read the link and pass it on. Distributed processes keep the letters for a week: `npm run mail -- list` and `npm run mail -- show <id>` show them. They are sent when a worker starts with `SMTP_URL`.',
    settings: [
      note(
        'SMTP_URL',
        '`smtp://user:password@mail.example:587`, or `smtps://…` for TLS from the first byte. Write `@ : / ? %` in a name or password as `%40 %3A %2F %3F %25`',
        'none',
      ),
      note('SMTP_FROM', 'Sender, like `SocialAI <no-reply@social.example>`', 'none'),
    ],
  },
  {
    title: 'Single sign-on',
    text: 'People can sign in with the accounts of one OpenID Connect provider, like Google Workspace, Okta or Keycloak. Set the first four together, and enter `<PUBLIC_URL>/api/auth/oidc/callback` as the redirect address at the provider. It must tell a verified email address (`email_verified`) of an allowed domain. The first sign-in opens an account, or links the existing one if its address is confirmed; a person can also link theirs in *Settings*, *Security*. A second factor of SocialAI is asked for all the same. Roles never come from the provider.',
    settings: [
      note('OIDC_ISSUER', "The provider's address as it names itself, like `https://login.example`", 'none'),
      note('OIDC_CLIENT_ID', 'Client id at the provider', 'none'),
      note('OIDC_CLIENT_SECRET', 'Client secret at the provider', 'none'),
      note(
        'OIDC_ALLOWED_DOMAINS',
        'Domains of the email addresses that may sign in, separated by commas, like `agency.example`',
        'none',
      ),
      note('OIDC_NAME', 'Name on the button: *Continue with …*'),
    ],
  },
  {
    title: 'Card payments',
    text: 'Set the first three together. Without them both billing buttons say that payments are not set up. Let Stripe send `customer.subscription.created`, `.updated`, `.deleted`, `.paused` and `.resumed` to `<PUBLIC_URL>/api/billing/webhook`. In the settings of Stripe, limit customers to one subscription: the product keeps one payment page open at a time, but a person can still pay twice elsewhere. *Billing* and `npm run billing -- reconcile` would show it.',
    settings: [
      note('STRIPE_SECRET_KEY', 'Secret key', 'none'),
      note('STRIPE_WEBHOOK_SECRET', 'Secret that signs the messages of Stripe', 'none'),
      note('STRIPE_PRICE_ID', 'Price of $49 a month', 'none'),
      note('STRIPE_TIMEOUT_MS', 'Milliseconds that one request may take. Each is sent twice at most'),
      note('STRIPE_API_BASE', 'Another server that speaks the protocol of Stripe', 'https://api.stripe.com'),
    ],
  },
  {
    title: 'Social networks',
    text: `A network with the id and secret of your own app is real; the others stay in the sandbox. Enter ${callback} as the redirect address of each app. Instagram fetches images from \`<PUBLIC_URL>/media/…\`, so that address must be public. The address and version settings have defaults and are for tests and proxies.`,
    settings: [
      note('FACEBOOK_APP_ID', 'Facebook Pages: app id', 'none'),
      note('FACEBOOK_APP_SECRET', 'Facebook Pages: app secret', 'none'),
      note('FACEBOOK_DIALOG_URL', 'Facebook: address of the consent dialog', facebookDefaults.dialogUrl),
      note('FACEBOOK_GRAPH_URL', 'Facebook: address of the Graph API', facebookDefaults.graphUrl),
      note('FACEBOOK_API_VERSION', 'Facebook: version of the Graph API', facebookDefaults.version),
      note('INSTAGRAM_APP_ID', 'Instagram professional accounts: app id', 'none'),
      note('INSTAGRAM_APP_SECRET', 'Instagram professional accounts: app secret', 'none'),
      note('INSTAGRAM_WWW_URL', 'Instagram: address of the consent dialog', instagramDefaults.wwwUrl),
      note('INSTAGRAM_API_URL', 'Instagram: address that exchanges codes', instagramDefaults.apiUrl),
      note('INSTAGRAM_GRAPH_URL', 'Instagram: address of the Graph API', instagramDefaults.graphUrl),
      note('INSTAGRAM_API_VERSION', 'Instagram: version of the Graph API', instagramDefaults.version),
      note('X_CLIENT_ID', 'X: client id', 'none'),
      note('X_CLIENT_SECRET', 'X: client secret', 'none'),
      note('X_AUTHORIZE_URL', 'X: address of the consent dialog', xDefaults.authorizeUrl),
      note('X_API_URL', 'X: address of the API', xDefaults.apiUrl),
      note('LINKEDIN_CLIENT_ID', 'LinkedIn: client id', 'none'),
      note('LINKEDIN_CLIENT_SECRET', 'LinkedIn: client secret', 'none'),
      note('LINKEDIN_WWW_URL', 'LinkedIn: address of the consent dialog', linkedinDefaults.wwwUrl),
      note('LINKEDIN_API_URL', 'LinkedIn: address of the API', linkedinDefaults.apiUrl),
      note('LINKEDIN_VERSION', 'LinkedIn: version of the API', linkedinDefaults.version),
      note('LINKEDIN_SCOPE', 'LinkedIn: rights to ask for. The default covers member profiles', linkedinDefaults.scope),
    ],
  },
]
