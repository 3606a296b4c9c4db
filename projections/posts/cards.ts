/** Posts as lists show them: with the beginning of each text, so that long texts don't make a list slow. */
import { searchable } from '../../domain/core/words.ts'
import { excerptOf } from '../core/excerpt.ts'
import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { postCardDocument, unplanned, type PostOrigin } from './view.ts'

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

export const postCardsProjection = projection<ShownEvent>()({
  name: 'post-cards',
  version: 3,
  view: postCardDocument,
  // A list of some statuses or platforms is searched for each status and platform: two indexes serve all combinations,
  // of one client and of an agency.
  indexes: [
    ['agencyId', 'createdAt'],
    ['agencyId', 'status', 'platform', 'createdAt'],
    ['agencyId', 'status', 'platform', 'plannedAt'],
    ...ofClients.map((fields) => ['agencyId', ...fields]),
  ],
  predecessors: [
    { version: 2, indexes: ofClients, convert: (card) => postCardDocument.parse({ ...card, words: '', ...ofUser }) },
    { version: 1, indexes: ofClients, convert: (card) => postCardDocument.parse({ ...card, ...notIndexed }) },
    // Lists were read from the whole posts before there were cards.
    {
      view: 'posts',
      version: 3,
      indexes: [['clientId', 'createdAt']],
      convert: (post) => postCardDocument.parse({ ...post, ...excerptOf(String(post['content'])), ...notIndexed }),
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
