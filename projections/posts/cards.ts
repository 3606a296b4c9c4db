/** Posts as lists show them: with the beginning of each text, so that long texts don't make a list slow. */
import { searchable } from '../../domain/core/words.ts'
import { excerptOf } from '../core/excerpt.ts'
import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import {
  neverPending,
  ofNobody,
  postCardDocument,
  stillPending,
  unplanned,
  withoutRound,
  type PostCardView,
  type PostOrigin,
} from './view.ts'

/** Of documents that were stored before lists were limited to an origin. */
const ofUser = { origin: 'user' } as const
/** Of documents that were stored before lists were sorted by planned time and searched. */
const notIndexed = { plannedAt: unplanned, words: '', ...ofUser }

type Stored = { readonly [field: string]: unknown }
/** Of documents from before this was stored: when a post was pending is unknown until the view is built. */
const pendingNow = ({ status }: Stored) => ({ pendingUntil: status === 'pending' ? stillPending : neverPending })
const beforeRounds = (card: Stored) => ({ ...withoutRound, ...pendingNow(card) })

/** What orders a post, with its own value of before an event. */
type Ordered = Pick<PostCardView, 'scheduledFor' | 'status' | 'updatedAt'> & { readonly pendingUntil?: string }

/** The indexes of versions 1 and 2, which had lists of one client only. */
const ofClients = [
  ['clientId', 'createdAt'],
  ['clientId', 'status', 'platform', 'createdAt'],
  ['clientId', 'status', 'platform', 'plannedAt'],
]

const ofAgencies = [
  ['agencyId', 'createdAt'],
  ['agencyId', 'status', 'platform', 'createdAt'],
  ['agencyId', 'status', 'platform', 'plannedAt'],
  ...ofClients.map((fields) => ['agencyId', ...fields]),
]

export const postCardsProjection = projection<ShownEvent>()({
  name: 'post-cards',
  version: 6,
  view: postCardDocument,
  // A list of some statuses or platforms is searched for each status and platform: two indexes serve all combinations,
  // of one client and of an agency.
  indexes: [
    ...ofAgencies,
    ['agencyId', 'assignedTo', 'createdAt'],
    // What became of the posts that were pending under a review link.
    ['agencyId', 'clientId', 'pendingUntil'],
  ],
  predecessors: [
    { version: 5, convert: (card) => postCardDocument.parse({ ...card, ...pendingNow(card) }) },
    { version: 4, convert: (card) => postCardDocument.parse({ ...card, ...beforeRounds(card) }) },
    {
      version: 3,
      indexes: ofAgencies,
      convert: (card) => postCardDocument.parse({ ...card, words: '', ...ofNobody, ...beforeRounds(card) }),
    },
    {
      version: 2,
      indexes: ofClients,
      convert: (card) => postCardDocument.parse({ ...card, words: '', ...ofUser, ...ofNobody, ...beforeRounds(card) }),
    },
    {
      version: 1,
      indexes: ofClients,
      convert: (card) => postCardDocument.parse({ ...card, ...notIndexed, ...ofNobody, ...beforeRounds(card) }),
    },
    // Lists were read from the whole posts before there were cards.
    {
      view: 'posts',
      version: 3,
      indexes: [['clientId', 'createdAt']],
      convert: (post) =>
        postCardDocument.parse({
          ...post,
          ...excerptOf(String(post['content'])),
          ...notIndexed,
          ...ofNobody,
          ...beforeRounds(post),
        }),
    },
  ],
  wordScope: 'agencyId',
  on: postHandlers(
    (content) => ({ ...excerptOf(content), words: searchable(content) }),
    ({ scheduledFor, status, updatedAt, pendingUntil = neverPending }: Ordered) => ({
      plannedAt: scheduledFor ?? unplanned,
      pendingUntil: status === 'pending' ? stillPending : pendingUntil === stillPending ? updatedAt : pendingUntil,
    }),
    ({ plan, imported }): { readonly origin: PostOrigin } => ({
      origin: plan ? 'schedule' : imported ? 'import' : 'user',
    }),
  ),
})
