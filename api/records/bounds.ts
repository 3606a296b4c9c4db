/**
 * The maximum number of records of each kind: the single table, enforced by code and copied into the documentation. A
 * running server can't open a collection without a row here (see bounded.ts).
 */

/** The behavior when the maximum is exceeded. */
export type AtMaximum =
  /** The record is not written, and the user gets the sentence (503). */
  | { readonly act: 'refuse'; readonly sentence: string }
  /** The records with the lowest values of this field, a time, are evicted. The collection has an index on it. */
  | { readonly act: 'remove-first'; readonly by: string }

export interface Bound {
  /** One record, in words. */
  readonly what: string
  /**
   * The maximum per owner, enforced by the module that writes the records; null where an owner has one, or users create
   * none.
   */
  readonly each: { readonly of: 'user' | 'agency' | 'projection'; readonly max: number; readonly beyond: string } | null
  readonly inAll: number
  readonly atMaximum: AtMaximum
  /** How long a record is kept, in words. */
  readonly kept: string
}

const refuse = (sentence: string): AtMaximum => ({ act: 'refuse', sentence })
const removeFirst = (by: string): AtMaximum => ({ act: 'remove-first', by })
const full = (what: string) =>
  refuse(`This server keeps no more ${what}. Nothing was changed; please tell its operator.`)

/** Accounts, and so agencies: each user opens one. */
const maxUsers = 100_000

/** By collection name. */
export const bounds = {
  users: {
    what: "a person's account",
    each: null,
    inAll: maxUsers,
    atMaximum: refuse('This server takes no more accounts. Please ask its operator.'),
    kept: 'until the person is erased',
  },
  sessions: {
    what: 'a session',
    each: { of: 'user', max: 50, beyond: 'the oldest ends' },
    inAll: 500_000,
    atMaximum: removeFirst('expire'),
    kept: 'SESSION_IDLE_DAYS after its last use, at most 14 days; expired ones are deleted every hour',
  },
  mailed_links: {
    what: 'a mailed link',
    each: { of: 'user', max: 3, beyond: 'a newer one of the same kind replaces it' },
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for an hour (password) or a day (email addresses); deleted every hour afterwards',
  },
  sign_ins: {
    what: 'a sign-in under way: after the password, or before a passkey',
    each: { of: 'user', max: 10, beyond: 'the oldest ends' },
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for five minutes; deleted every hour afterwards',
  },
  factors: {
    what: "a user's second factors: an authenticator app, at most 20 passkeys and 10 recovery codes",
    each: null,
    inAll: maxUsers,
    atMaximum: full('second factors'),
    kept: 'until the factors are removed or the person is erased',
  },
  oidc_links: {
    what: 'the person at the provider of single sign-on whose account it is',
    each: null,
    inAll: maxUsers,
    atMaximum: full('links to single sign-on'),
    kept: 'until the link is removed or the person is erased',
  },
  oidc_consents: {
    what: 'a visit to the provider of single sign-on',
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for five minutes; deleted every hour afterwards',
  },
  invitations: {
    what: "an invitation's address and the digests of its links",
    each: { of: 'agency', max: 50, beyond: 'further invitations are refused' },
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for seven days; deleted every hour afterwards',
  },
  client_contacts: {
    what: "the name and address of a client's person who may be asked for review",
    each: { of: 'agency', max: 200, beyond: 'further contacts are refused: 10 clients with 20 contacts each' },
    inAll: 1_000_000,
    atMaximum: full('contacts'),
    kept: 'until the contact or its client is removed',
  },
  review_tokens: {
    what: "the digest of a review link's address, for everyone or for one contact",
    each: { of: 'agency', max: 2_200, beyond: '11 of each of 200 open links; a new link removes those of ended ones' },
    inAll: 500_000,
    atMaximum: full('addresses of review links'),
    kept: "until 90 days after the link's planned end, or until newer ones need the place; deleted every hour afterwards, or with the client",
  },
  reviewers: {
    what: 'a person who reviews by a link: the name, and the versions of 100 posts that were shown',
    each: { of: 'agency', max: 22_000, beyond: '110 of each of 200 open links; further people are refused' },
    inAll: 500_000,
    atMaximum: full('reviewers'),
    kept: 'until the person is erased or the client removed',
  },
  erased_people: {
    what: 'the mark of a reviewer or contact who was erased: an id',
    each: { of: 'agency', max: 22_200, beyond: 'one of each reviewer and contact: a newer one replaces it' },
    inAll: 500_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for a day, so that requests under way write nothing; deleted every hour afterwards',
  },
  review_sessions: {
    what: 'what a person has proved about a review link',
    each: { of: 'agency', max: 200_000, beyond: '1,000 of each of 200 open links; a further one replaces one' },
    inAll: 500_000,
    atMaximum: removeFirst('expiresAt'),
    kept: "for 14 days, or until the link's end; deleted every hour afterwards",
  },
  review_passcodes: {
    what: "the hash of a review link's passcode",
    each: { of: 'agency', max: 200, beyond: 'one of each open link; further links are refused' },
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: "until the link's end; deleted every hour afterwards",
  },
  review_codes: {
    what: 'the keyed digest of a code that was mailed to a contact',
    each: { of: 'agency', max: 2_000, beyond: 'one of each address of a contact: a newer one replaces it' },
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for ten minutes; deleted every hour afterwards',
  },
  review_notes: {
    what: 'the words of a verdict, at most 2,000 characters',
    each: null,
    inAll: 1_000_000,
    atMaximum: full('notes of reviewers'),
    kept: 'until the reviewer is erased or the client removed',
  },
  letters: {
    what: 'a letter, of up to 32,000 characters: queued, sent or given up',
    each: null,
    inAll: 10_000,
    // Letters in the queue have none: they stay, and further ones are refused.
    atMaximum: removeFirst('doneAt'),
    kept: 'until it is sent, for eight tries in a day at most; its outcome for seven days',
  },
  oauth_states: {
    what: 'a pending consent of a network',
    each: { of: 'user', max: 20, beyond: 'the oldest ends' },
    inAll: 50_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for ten minutes; deleted every hour afterwards',
  },
  profile_choices: {
    what: 'the profiles to choose from after a consent, at most 1,000',
    each: { of: 'user', max: 20, beyond: 'the oldest ends' },
    inAll: 10_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for ten minutes; deleted every hour afterwards',
  },
  tokens: {
    what: "a connected account's tokens",
    each: { of: 'agency', max: 500, beyond: 'further accounts are refused: 10 clients with 50 accounts each' },
    inAll: 200_000,
    atMaximum: full('connections to networks'),
    kept: 'until the account is disconnected or its client removed',
  },
  vault_proof: {
    what: 'the proof that the encryption key is right',
    each: null,
    inAll: 1,
    atMaximum: full('proofs of keys'),
    kept: 'for good',
  },
  renewal_locks: {
    what: "a lock on one account's tokens",
    each: null,
    inAll: 200_000,
    atMaximum: full('locks on connections'),
    kept: 'while tokens are renewed; the lock of a dead process until the next renewal',
  },
  comment_words: {
    what: 'the words of a comment, at most 5,000 characters, and a text that it suggests; at most 500 a post',
    each: null,
    inAll: 1_000_000,
    atMaximum: full('comments'),
    kept: 'until the comment is removed, its author erased or its client removed',
  },
  billing_customers: {
    what: "an agency's customer id at the payment provider",
    each: null,
    inAll: maxUsers,
    atMaximum: full('customers'),
    kept: 'for good',
  },
  billing_messages: {
    what: 'the id of a payment message',
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('at'),
    kept: 'for seven days; older ones are deleted with each message',
  },
  agency_contacts: {
    what: "an agency's contact email",
    each: null,
    inAll: maxUsers,
    atMaximum: full('contact addresses'),
    kept: 'until its owner is erased',
  },
  ownerships: {
    what: 'the agency that a person owns, or is about to own',
    each: null,
    inAll: maxUsers,
    atMaximum: full('owners'),
    kept: 'until the person is erased',
  },
  image_bytes: {
    what: "an agency's count of bytes and images",
    each: null,
    inAll: maxUsers,
    atMaximum: full('counts of images'),
    kept: 'for good',
  },
  images_counted: {
    what: "an image's entry in the count of an agency",
    each: { of: 'agency', max: 20_000, beyond: 'further images are refused, as beyond IMAGES_MOST_MB' },
    inAll: 1_000_000,
    atMaximum: full('images'),
    kept: 'for good',
  },
  daily_use: {
    what: "an agency's use of one daily budget",
    each: { of: 'agency', max: 3, beyond: 'one for each budget: log, texts, texts by schedules' },
    inAll: 3 * maxUsers,
    atMaximum: removeFirst('day'),
    kept: 'until the day is over; deleted every hour afterwards',
  },
  audit_checkpoints: {
    what: 'a signed checkpoint of the log',
    each: null,
    inAll: 10_000,
    atMaximum: removeFirst('at'),
    kept: 'for more than a year at one an hour; a newer one covers all that an older one does',
  },
  checkpoints: {
    what: "a process's position in the log",
    each: null,
    inAll: 100,
    atMaximum: full('checkpoints'),
    kept: 'for good',
  },
  planned_texts: {
    what: "a planner's claim on a text to write",
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('until'),
    kept: 'until the text is written; the claim of a dead planner for a day',
  },
  planner_agenda: {
    what: "when the planner looks at an agency's posting schedules next",
    each: null,
    inAll: maxUsers,
    atMaximum: full('agencies with posting schedules'),
    kept: 'for good',
  },
  connection_checks: {
    what: 'when a connection to a network is checked next',
    each: null,
    inAll: 200_000,
    atMaximum: full('checks of connections'),
    kept: 'while the account is connected; removed by the first check after that',
  },
  remote_posts: {
    what: "the post that a network's post was matched to",
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('at'),
    kept: 'for ninety days; older ones are deleted with each look-up',
  },
  outcome_looks: {
    what: "what the look-ups of an attempt's unknown outcome have seen",
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('at'),
    kept: 'for thirty days; older ones are deleted with each look-up',
  },
  builds: {
    what: 'the lock of a rebuild',
    each: { of: 'projection', max: 1, beyond: 'a second command is refused' },
    inAll: 1_000,
    atMaximum: full('rebuilds'),
    kept: 'while the projection is rebuilt',
  },
  leases: {
    what: "a projector or a worker that is alive, or the assignment of all projections or of all parts of the workers' accounts",
    each: null,
    inAll: 10_000,
    atMaximum: full('leases'),
    kept: 'while the process runs; other processes remove those of dead ones',
  },
  moves: {
    what: 'the installation that this one was moved from',
    each: null,
    inAll: 1,
    atMaximum: full('marks of moves'),
    kept: 'for good',
  },
} as const satisfies Readonly<Record<string, Bound>>

/** Data outside of the records with a bound of its own. */
export const mailBounds = {
  outbox: { what: 'a letter in DATA_DIR/outbox', max: 200, beyond: 'the oldest is removed' },
  waiting: {
    what: 'a notice of an account change that waits in memory for the records',
    max: 200,
    beyond: 'a further one is not sent, and the log says so',
  },
} as const
