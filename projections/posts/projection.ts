import { projection } from '../core/projection.ts'
import { postHandlers, type ShownEvent } from './handlers.ts'
import { ofNobody, postView, withoutRound } from './view.ts'

export const postsProjection = projection<ShownEvent>()({
  name: 'posts',
  version: 5,
  view: postView,
  predecessors: [
    { version: 4, convert: (post) => postView.parse({ ...post, ...withoutRound }) },
    { version: 3, convert: (post) => postView.parse({ ...post, ...ofNobody, ...withoutRound }) },
  ],
  indexes: [['clientId', 'createdAt']],
  on: postHandlers((content) => ({ content })),
})
