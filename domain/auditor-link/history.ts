import { history } from '../core/history.ts'
import { auditorLinkEvents } from './events.ts'

export const auditorLinkHistory = history(auditorLinkEvents, {
  AuditorLinkIssued: 'AuditorLinkIssued',
  AuditorLinkRevoked: 'AuditorLinkRevoked',
  AuditorLinkUsed: 'AuditorLinkUsed',
})
