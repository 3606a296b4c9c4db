/** What people and time do. Things are chosen by number among all that there are by then, the other agency's too. */
import * as fc from 'fast-check'
import { sides, type Side, type World } from './world.ts'

/** Days from now; null: none is given. */
export type When = number | null

type Kinds = {
  addClient: { readonly name: string; readonly sentAs: string | null }
  renameClient: { readonly client: string; readonly name: string }
  removeClient: { readonly client: string }
  setPolicy: { readonly client: string; readonly steps: number }
  addAccount: { readonly client: string; readonly platform: 'facebook' | 'twitter'; readonly name: string }
  writePost: {
    readonly client: string
    readonly account: string
    readonly content: string
    readonly when: When
    readonly as: 'draft' | 'pending' | 'scheduled'
  }
  editPost: { readonly post: string; readonly content: string; readonly match: number | null }
  movePost: { readonly post: string; readonly when: number; readonly match: number | null }
  submitPost: { readonly post: string; readonly match: number | null }
  /** `step`: the one that was open when the post was read last. */
  approvePost: { readonly post: string; readonly match: number | null; readonly step: number }
  skipStep: { readonly post: string; readonly step: number }
  /** To the owner. */
  reassignStep: { readonly post: string; readonly step: number }
  rejectPost: { readonly post: string; readonly reason: string | null; readonly match: number | null }
  schedulePost: { readonly post: string; readonly when: When; readonly match: number | null }
  returnPost: { readonly post: string; readonly match: number | null }
  releasePost: { readonly post: string; readonly when: number }
  retryPost: { readonly post: string; readonly when: number }
  deletePost: { readonly post: string }
  issueLink: { readonly client: string | null; readonly days: number }
  revokeLink: { readonly link: string }
  openLink: { readonly link: string }
  pay: object
  cancel: object
  wait: { readonly days: number }
}
/** Which revision is asked for: the one that was read last, one from before it, or whichever there is. */
type Match = 'newest' | 'older' | null
export type Kind = keyof Kinds
export type Action = { [K in Kind]: { readonly kind: K; readonly side: Side } & Kinds[K] }[Kind]
export type ActionOf<K extends Kind> = Extract<Action, { kind: K }>

/** The same with numbers in place of names. */
export type Drawn = {
  [K in Kind]: { readonly kind: K; readonly side: Side } & {
    readonly [P in Exclude<keyof Kinds[K], 'step'>]: P extends 'client' | 'account' | 'post' | 'link'
      ? number | Extract<Kinds[K][P], null>
      : P extends 'match'
        ? Match
        : Kinds[K][P]
  }
}[Kind]

const side = fc.constantFrom(...sides)
/** From here on a number may name any agency's thing. */
const strangersFrom = 27
/** Mostly the last ones, which are alive. */
const which = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 2, arbitrary: fc.nat(strangersFrom - 1) },
  { weight: 1, arbitrary: fc.integer({ min: strangersFrom, max: strangersFrom + 3 }) },
)
const name = fc.constantFrom('Ada', 'Bea', 'Cem')
const content = fc.constantFrom('Short', 'Other', 'x'.repeat(300))
const match = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Match>(null) },
  { weight: 2, arbitrary: fc.constant<Match>('newest') },
  fc.constant<Match>('older'),
)
const when = fc.constantFrom(-1, 0.25, 40)
const whenOrNone = fc.option(when)

const draw = <K extends Kind>(
  kind: K,
  weight: number,
  rest: {
    readonly [P in Exclude<keyof Extract<Drawn, { kind: K }>, 'kind' | 'side'>]: fc.Arbitrary<
      Extract<Drawn, { kind: K }>[P]
    >
  },
) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), side, ...rest }) as unknown as fc.Arbitrary<Drawn>,
})

const ofPeople = [
  draw('addClient', 4, { name, sentAs: fc.option(fc.constantFrom('k1', 'k2')) }),
  draw('renameClient', 1, { client: which, name }),
  draw('removeClient', 1, { client: which }),
  draw('setPolicy', 1, { client: which, steps: fc.constantFrom(0, 1, 2, 2) }),
  draw('addAccount', 3, { client: which, platform: fc.constantFrom('facebook', 'twitter'), name }),
  draw('writePost', 8, {
    client: which,
    account: which,
    content,
    when: whenOrNone,
    as: fc.constantFrom('draft', 'pending', 'scheduled'),
  }),
  draw('editPost', 3, { post: which, content, match }),
  draw('movePost', 3, { post: which, when, match }),
  draw('submitPost', 4, { post: which, match }),
  draw('approvePost', 5, { post: which, match }),
  draw('skipStep', 2, { post: which }),
  draw('reassignStep', 2, { post: which }),
  draw('rejectPost', 3, { post: which, reason: fc.option(fc.constantFrom('Too long', 'Too loud')), match }),
  draw('schedulePost', 3, { post: which, when: whenOrNone, match }),
  draw('returnPost', 2, { post: which, match }),
  draw('releasePost', 2, { post: which, when }),
  draw('retryPost', 1, { post: which, when }),
  draw('deletePost', 1, { post: which }),
  draw('issueLink', 2, { client: fc.option(which), days: fc.constantFrom(-1, 2, 30, 400) }),
  draw('revokeLink', 2, { link: which }),
  draw('openLink', 2, { link: which }),
]

export const byPeople: fc.Arbitrary<Drawn> = fc.oneof(...ofPeople)
export const anything: fc.Arbitrary<Drawn> = fc.oneof(
  ...ofPeople,
  draw('pay', 1, {}),
  draw('cancel', 1, {}),
  draw('wait', 2, { days: fc.constantFrom(1, 2, 6) }),
)

/** What a number stands for: counted from the newest, so that what was just made is met again. */
export function resolved(drawn: Drawn, world: World): Action {
  const pick = (things: Readonly<Record<string, unknown>>, number: number) =>
    Object.keys(things).toReversed()[number % Math.max(1, Object.keys(things).length)] ?? 'nothing'
  const { accounts, posts, clients, links } = world
  const places = { account: accounts, post: posts, client: clients, link: links }
  const named = Object.entries(drawn).map(([field, value]) => {
    const things = places[field as keyof typeof places]
    return [field, things && typeof value === 'number' ? pick(things, value) : value]
  })
  const names = Object.fromEntries(named) as Readonly<Record<string, string>>
  const read = posts[names['post'] ?? '']?.revision ?? 0
  const match =
    'match' in drawn ? { match: drawn.match === null ? null : drawn.match === 'newest' ? read : read - 1 } : {}
  const step =
    drawn.kind === 'approvePost' || drawn.kind === 'skipStep' || drawn.kind === 'reassignStep'
      ? { step: posts[names['post'] ?? '']?.round?.settled ?? 0 }
      : {}
  const action = { ...names, ...match, ...step, side: sideFor(drawn, names, world) } as unknown as Action
  // Mostly the account is one of the client's own.
  if (action.kind !== 'writePost' || drawn.kind !== 'writePost' || drawn.account >= strangersFrom) return action
  const own = Object.fromEntries(Object.entries(accounts).filter(([, { client }]) => client === action.client))
  return { ...action, account: pick(own, drawn.account) }
}

function sideFor(
  drawn: Drawn,
  { client, post, link }: Readonly<Record<string, string>>,
  { clients, posts, links }: World,
): Side {
  const number = 'post' in drawn ? drawn.post : 'link' in drawn ? drawn.link : 'client' in drawn ? drawn.client : null
  if (number === null || number >= strangersFrom) return drawn.side
  return clients[posts[post ?? '']?.client ?? client ?? '']?.side ?? links[link ?? '']?.side ?? drawn.side
}
