/** Posts as lists show them: with the beginning of each text, so that long texts don't make a list slow. */
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
