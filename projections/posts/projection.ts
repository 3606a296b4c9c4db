import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { ofNobody, postView } from './view.ts'

export const postsProjection = projection<ShownEvent>()({
  name: 'posts',
  version: 4,
  view: postView,
  predecessors: [{ version: 3, convert: (post) => postView.parse({ ...post, ...ofNobody }) }],
  indexes: [['clientId', 'createdAt']],
  on: postHandlers((content) => ({ content })),
})
