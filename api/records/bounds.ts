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
  refuse(`This server keeps no more ${what}. Nothing was changed; please tell whoever runs it.`)

/** Accounts, and so agencies: each user opens one. */
const maxUsers = 100_000

/** By collection name. */
export const bounds = {
  users: {
    what: "a person's account",
    each: null,
    inAll: maxUsers,
    atMaximum: refuse('This server takes no more accounts. Please ask whoever runs it.'),
    kept: 'until the person is erased',
  },
  sessions: {
    what: 'a session',
    each: { of: 'user', max: 50, beyond: 'the oldest ends' },
    inAll: 500_000,
    atMaximum: removeFirst('expire'),
    kept: 'SESSION_IDLE_DAYS after its last use, at most 14 days; those that are over are swept every hour',
  },
  mailed_links: {
    what: 'a link that was mailed',
    each: { of: 'user', max: 2, beyond: 'a newer one of the same kind takes its place' },
    inAll: 100_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for an hour (password) or a day (e-mail address); swept every hour',
  },
  oauth_states: {
    what: 'a consent that a network was asked for',
    each: { of: 'user', max: 20, beyond: 'the oldest ends' },
    inAll: 50_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for ten minutes; swept every hour',
  },
  profile_choices: {
    what: 'profiles to choose from after a consent, at most 1,000 of them',
    each: { of: 'user', max: 20, beyond: 'the oldest ends' },
    inAll: 10_000,
    atMaximum: removeFirst('expiresAt'),
    kept: 'for ten minutes; swept every hour',
  },
  tokens: {
    what: "a connected account's keys",
    each: { of: 'agency', max: 500, beyond: 'no more accounts are added: 10 clients with 50 accounts each' },
    inAll: 200_000,
    atMaximum: full('connections to networks'),
    kept: 'until the account is disconnected or its client removed',
  },
  vault_proof: {
    what: 'the proof that the encryption key is the right one',
    each: null,
    inAll: 1,
    atMaximum: full('proofs of keys'),
    kept: 'for good',
  },
  renewal_locks: {
    what: "a lock on one account's keys",
    each: null,
    inAll: 200_000,
    atMaximum: full('locks on connections'),
    kept: 'while keys are renewed; one that a process left behind until the next renewal',
  },
  billing_customers: {
    what: 'which customer of the payment provider an agency is',
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
    kept: 'for seven days; swept with each message',
  },
  agency_contacts: {
    what: "an agency's contact e-mail",
    each: null,
    inAll: maxUsers,
    atMaximum: full('contact addresses'),
    kept: 'until its owner is erased',
  },
  image_bytes: {
    what: 'how many bytes and images an agency keeps',
    each: null,
    inAll: maxUsers,
    atMaximum: full('counts of images'),
    kept: 'for good',
  },
  images_counted: {
    what: 'that an image is counted for an agency',
    each: { of: 'agency', max: 20_000, beyond: 'no more images are taken; nor beyond IMAGES_MOST_MB' },
    inAll: 1_000_000,
    atMaximum: full('images'),
    kept: 'for good',
  },
  daily_use: {
    what: 'how much an agency has used of a budget on a day',
    each: { of: 'agency', max: 3, beyond: 'one for each budget: log, texts, texts by schedules' },
    inAll: 3 * maxUsers,
    atMaximum: removeFirst('day'),
    kept: 'until the day is over; swept every hour',
  },
  audit_checkpoints: {
    what: 'a signed checkpoint of the log',
    each: null,
    inAll: 10_000,
    atMaximum: removeFirst('at'),
    kept: 'for more than a year at one an hour; a newer one covers all that an older one does',
  },
  checkpoints: {
    what: 'how far a process has read the log',
    each: null,
    inAll: 100,
    atMaximum: full('checkpoints'),
    kept: 'for good',
  },
  planned_texts: {
    what: 'that a planner has a text written',
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('until'),
    kept: 'until it is written; one that a planner left behind for a day',
  },
  remote_posts: {
    what: "which post a network's post was found to be",
    each: null,
    inAll: 100_000,
    atMaximum: removeFirst('at'),
    kept: 'for ninety days; swept with each look-up',
  },
  builds: {
    what: 'who rebuilds a projection',
    each: { of: 'projection', max: 1, beyond: 'a second command is refused' },
    inAll: 1_000,
    atMaximum: full('rebuilds'),
    kept: 'while it is rebuilt',
  },
  leases: {
    what: 'who leads a projection, and who could',
    each: null,
    inAll: 10_000,
    atMaximum: full('leases'),
    kept: 'while the process is there; those of dead processes are removed by the others',
  },
  moves: {
    what: 'from which installation this one was moved',
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
    what: 'a letter that waits in memory to be sent',
    max: 200,
    beyond: 'what asked for it is told to come again in a minute (503)',
  },
} as const
