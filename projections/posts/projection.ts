import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { postView } from './view.ts'

export const postsProjection = projection<ShownEvent>()({
  name: 'posts',
  version: 3,
  view: postView,
  indexes: [['clientId', 'createdAt']],
  on: postHandlers((content) => ({ content })),
})
