/** Posts as lists show them: with the beginning of each text, so that a list of long texts is as short as one of short ones. */
import { excerptOf } from '../core/excerpt.ts'
import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { postCardView } from './view.ts'

export const postCardsProjection = projection<ShownEvent>()({
  name: 'post-cards',
  version: 1,
  view: postCardView,
  indexes: [['clientId', 'createdAt']],
  on: postHandlers(excerptOf),
})
