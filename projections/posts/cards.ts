/** Posts as lists show them: with the beginning of each text, so that long texts don't make a list slow. */
import { searchable } from '../../domain/core/words.ts'
import { excerptOf } from '../core/excerpt.ts'
import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { postCardDocument, unplanned } from './view.ts'

/** Of documents that were stored before lists were sorted by planned time and searched. */
const notIndexed = { plannedAt: unplanned, words: '' }

export const postCardsProjection = projection<ShownEvent>()({
  name: 'post-cards',
  version: 2,
  view: postCardDocument,
  // A list of some statuses or platforms is searched for each status and platform: two indexes serve all combinations.
  indexes: [
    ['clientId', 'createdAt'],
    ['clientId', 'status', 'platform', 'createdAt'],
    ['clientId', 'status', 'platform', 'plannedAt'],
  ],
  predecessors: [
    { version: 1, convert: (card) => postCardDocument.parse({ ...card, ...notIndexed }) },
    // Lists were read from the whole posts before there were cards.
    {
      view: 'posts',
      version: 3,
      convert: (post) => postCardDocument.parse({ ...post, ...excerptOf(String(post['content'])), ...notIndexed }),
    },
  ],
  wordScope: 'clientId',
  on: postHandlers(
    (content) => ({ ...excerptOf(content), words: searchable(content) }),
    ({ scheduledFor }) => ({ plannedAt: scheduledFor ?? unplanned }),
  ),
})
