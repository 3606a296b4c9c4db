import { history } from '../core/history.ts'
import { discussionEvents } from './events.ts'

export const discussionHistory = history(discussionEvents, {
  CommentPosted: 'CommentPosted',
  CommentEdited: 'CommentEdited',
  CommentRemoved: 'CommentRemoved',
})
