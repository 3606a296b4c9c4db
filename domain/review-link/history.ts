import { history } from '../core/history.ts'
import { reviewLinkEvents } from './events.ts'

export const reviewLinkHistory = history(reviewLinkEvents, {
  ReviewLinkIssued: 'ReviewLinkIssued',
  ReviewLinkRevoked: 'ReviewLinkRevoked',
  ReviewLinkUsed: 'ReviewLinkUsed',
})
