/** Posts as lists show them: with the beginning of each text, so that long texts don't make a list slow. */
import { searchable } from '../../domain/core/words.ts'
import { excerptOf } from '../core/excerpt.ts'
import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { ofNobody, postCardDocument, unplanned, withoutRound, type PostOrigin } from './view.ts'

/** Of documents that were stored before lists were limited to an origin. */
const ofUser = { origin: 'user' } as const
/** Of documents that were stored before lists were sorted by planned time and searched. */
const notIndexed = { plannedAt: unplanned, words: '', ...ofUser }

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
  version: 5,
  view: postCardDocument,
  // A list of some statuses or platforms is searched for each status and platform: two indexes serve all combinations,
  // of one client and of an agency.
  indexes: [...ofAgencies, ['agencyId', 'assignedTo', 'createdAt']],
  predecessors: [
    { version: 4, convert: (card) => postCardDocument.parse({ ...card, ...withoutRound }) },
    {
      version: 3,
      indexes: ofAgencies,
      convert: (card) => postCardDocument.parse({ ...card, words: '', ...ofNobody, ...withoutRound }),
    },
    {
      version: 2,
      indexes: ofClients,
      convert: (card) => postCardDocument.parse({ ...card, words: '', ...ofUser, ...ofNobody, ...withoutRound }),
    },
    {
      version: 1,
      indexes: ofClients,
      convert: (card) => postCardDocument.parse({ ...card, ...notIndexed, ...ofNobody, ...withoutRound }),
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
          ...withoutRound,
        }),
    },
  ],
  wordScope: 'agencyId',
  on: postHandlers(
    (content) => ({ ...excerptOf(content), words: searchable(content) }),
    ({ scheduledFor }) => ({ plannedAt: scheduledFor ?? unplanned }),
    ({ plan, imported }): { readonly origin: PostOrigin } => ({
      origin: plan ? 'schedule' : imported ? 'import' : 'user',
    }),
  ),
})
