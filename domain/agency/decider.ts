/** An agency: its trial and subscription, its time zone, and the list of its clients. */
import { refuse, type Decider } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { Standing } from '../core/values.ts'
import { clientLimit, trialDays, type AgencyCommand, type ClientChanges, type ClientProfile } from './commands.ts'
import type { AgencyEvent } from './events.ts'
import { evolveAgency, initialAgency, noBrand, standingOf, type Agency } from './state.ts'
import { recordSubscription } from './record-subscription.ts'
import { decideTeam } from './team.ts'
import type { TeamContext } from './team-rules.ts'
import type { TeamRefusal } from './team-refusals.ts'

export interface AgencyContext extends TeamContext {
  readonly now: Instant
}

export type AgencyRefusal =
  | { readonly reason: 'agency-exists' }
  | { readonly reason: 'agency-unknown' }
  | { readonly reason: 'client-limit-reached'; readonly limit: number }
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'made-and-deleted' }
  | { readonly reason: 'trial-still-runs' }
  | { readonly reason: 'subscription-needed'; readonly standing: Exclude<Standing, 'good'> }
  | TeamRefusal

type Decision = ReturnType<Decider<Agency, AgencyCommand, AgencyEvent, AgencyRefusal, AgencyContext>['decide']>

function decide(agency: Agency, command: AgencyCommand, context: AgencyContext): Decision {
  const { now } = context
  if (command.type === 'OpenAgency') {
    if (agency.ownerId !== null || context.ownsAnother) return refuse({ reason: 'agency-exists' })
    const endsAt = new Date(Date.parse(now) + trialDays * 24 * 3600 * 1000).toISOString()
    return [
      { type: 'AgencyOpened', data: { ownerId: command.ownerId, name: command.name, timeZone: command.timeZone } },
      { type: 'TrialStarted', data: { endsAt } },
    ]
  }
  if (agency.ownerId === null) return refuse({ reason: 'agency-unknown' })

  switch (command.type) {
    case 'ChangeTimeZone':
      return command.timeZone === agency.timeZone
        ? []
        : [{ type: 'TimeZoneChanged', data: { timeZone: command.timeZone, from: agency.timeZone } }]
    case 'SetBrand': {
      const { logoHash, color } = command
      const before = agency.brand ?? noBrand
      if (logoHash === before.logoHash && color === before.color) return []
      return [{ type: 'AgencyBrandSet', data: { logoHash, color } }]
    }
    case 'AddClient':
      return addClient(agency, command.clientId, command.profile, now)
    case 'ReviseClientProfile':
      return reviseClient(agency, command.clientId, command.changes)
    case 'RemoveClient':
      return removeClient(agency, command.clientId)
    case 'ExpireTrial':
      if (agency.status !== 'trialing') return []
      if (agency.trialEndsAt === null || now < agency.trialEndsAt) return refuse({ reason: 'trial-still-runs' })
      return [{ type: 'TrialExpired', data: { endedAt: agency.trialEndsAt } }]
    case 'RecordSubscription':
      return recordSubscription(agency.subscriptions, command, command.heard)
    case 'InviteMember': {
      const standing = standingOf(agency, now)
      if (standing !== 'good') return refuse({ reason: 'subscription-needed', standing })
      return decideTeam(agency, command, context)
    }
    default:
      return decideTeam(agency, command, context)
  }
}

function addClient(agency: Agency, clientId: string, profile: ClientProfile, now: Instant): Decision {
  const known = agency.clients[clientId]
  if (known) return sameProfile(known, profile) ? [] : refuse({ reason: 'id-taken' })
  if (agency.removed.has(clientId)) return refuse({ reason: 'made-and-deleted' })
  const standing = standingOf(agency, now)
  if (standing !== 'good') return refuse({ reason: 'subscription-needed', standing })
  if (Object.keys(agency.clients).length >= clientLimit) {
    return refuse({ reason: 'client-limit-reached', limit: clientLimit })
  }
  return [{ type: 'ClientAdded', data: { clientId, profile } }]
}

function reviseClient(agency: Agency, clientId: string, changes: ClientChanges): Decision {
  const known = agency.clients[clientId]
  if (!known) return refuse({ reason: 'client-unknown' })
  const profile: ClientProfile = {
    name: changes.name ?? known.name,
    description: changed(changes.description, known.description),
    industry: changed(changes.industry, known.industry),
    targetAudience: changed(changes.targetAudience, known.targetAudience),
    toneOfVoice: changed(changes.toneOfVoice, known.toneOfVoice),
    brandColor: changes.brandColor ?? known.brandColor,
    logoUrl: changed(changes.logoUrl, known.logoUrl),
  }
  return sameProfile(known, profile) ? [] : [{ type: 'ClientProfileRevised', data: { clientId, profile } }]
}

const changed = (to: string | null | undefined, from: string | null) => (to === undefined ? from : to || null)

function removeClient(agency: Agency, clientId: string): Decision {
  const known = agency.clients[clientId]
  if (known) return [{ type: 'ClientRemoved', data: { clientId, name: known.name } }]
  return agency.removed.has(clientId) ? [] : refuse({ reason: 'client-unknown' })
}

const profileFields = [
  'name',
  'description',
  'industry',
  'targetAudience',
  'toneOfVoice',
  'brandColor',
  'logoUrl',
] as const
const sameProfile = (a: ClientProfile, b: ClientProfile) => profileFields.every((field) => a[field] === b[field])

export const agencyDecider: Decider<Agency, AgencyCommand, AgencyEvent, AgencyRefusal, AgencyContext> = {
  initial: initialAgency,
  decide,
  evolve: evolveAgency,
}
