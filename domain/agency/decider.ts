/** An agency: its trial and subscription, its time zone, and the roster of its clients. */
import { refuse, type Decider } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { Standing } from '../core/values.ts'
import {
  clientLimit,
  trialDays,
  type AgencyCommand,
  type ClientChanges,
  type ClientProfile,
  type SubscriptionStatus,
} from './commands.ts'
import type { AgencyEvent } from './events.ts'

export interface Agency {
  /** Null until the agency is opened. */
  readonly ownerId: string | null
  readonly name: string
  readonly timeZone: string
  readonly status: SubscriptionStatus
  readonly trialEndsAt: Instant | null
  readonly currentPeriodEnd: Instant | null
  readonly subscriptionId: string | null
  readonly clients: Readonly<Record<string, ClientProfile>>
  /** Ids that were on the roster once: they are never used again. */
  readonly removed: readonly string[]
}

export interface AgencyGiven {
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
  | { readonly reason: 'not-subscribed' }

const initial: Agency = {
  ownerId: null,
  name: '',
  timeZone: 'UTC',
  status: 'trialing',
  trialEndsAt: null,
  currentPeriodEnd: null,
  subscriptionId: null,
  clients: {},
  removed: [],
}

/** What the agency may do at an instant, whether or not a clock process already noticed that its trial ended. */
export function standingOf(agency: Agency, now: Instant): Standing {
  switch (agency.status) {
    case 'trialing':
      return agency.trialEndsAt !== null && now >= agency.trialEndsAt ? 'trial-ended' : 'good'
    case 'active':
    case 'past_due':
      return 'good'
    case 'expired':
      return 'trial-ended'
    case 'unpaid':
      return 'unpaid'
    case 'canceled':
      return 'canceled'
  }
}

type Decision = ReturnType<Decider<Agency, AgencyCommand, AgencyEvent, AgencyRefusal, AgencyGiven>['decide']>

function decide(agency: Agency, command: AgencyCommand, { now }: AgencyGiven): Decision {
  if (command.type === 'OpenAgency') {
    if (agency.ownerId !== null) return refuse({ reason: 'agency-exists' })
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
    case 'ActivateSubscription': {
      const { subscriptionId, customerId, currentPeriodEnd } = command
      const same =
        agency.status === 'active' &&
        agency.subscriptionId === subscriptionId &&
        agency.currentPeriodEnd === currentPeriodEnd
      return same ? [] : [{ type: 'SubscriptionActivated', data: { subscriptionId, customerId, currentPeriodEnd } }]
    }
    case 'MarkPaymentOverdue':
      return subscriptionStep(agency, 'past_due', ['active'], { type: 'PaymentFellOverdue', data: {} })
    case 'MarkSubscriptionUnpaid':
      return subscriptionStep(agency, 'unpaid', ['active', 'past_due'], { type: 'SubscriptionLeftUnpaid', data: {} })
    case 'CancelSubscription':
      return subscriptionStep(agency, 'canceled', ['active', 'past_due', 'unpaid'], {
        type: 'SubscriptionCanceled',
        data: {},
      })
  }
}

function addClient(agency: Agency, clientId: string, profile: ClientProfile, now: Instant): Decision {
  const known = agency.clients[clientId]
  if (known) return sameProfile(known, profile) ? [] : refuse({ reason: 'id-taken' })
  if (agency.removed.includes(clientId)) return refuse({ reason: 'made-and-deleted' })
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
  return agency.removed.includes(clientId) ? [] : refuse({ reason: 'client-unknown' })
}

function subscriptionStep(
  agency: Agency,
  to: SubscriptionStatus,
  from: readonly SubscriptionStatus[],
  event: AgencyEvent,
): Decision {
  if (agency.status === to) return []
  return from.includes(agency.status) ? [event] : refuse({ reason: 'not-subscribed' })
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

function evolve(agency: Agency, event: AgencyEvent): Agency {
  switch (event.type) {
    case 'AgencyOpened':
      return { ...agency, ...event.data }
    case 'TrialStarted':
      return { ...agency, status: 'trialing', trialEndsAt: event.data.endsAt }
    case 'TrialExpired':
      return { ...agency, status: 'expired' }
    case 'TimeZoneChanged':
      return { ...agency, timeZone: event.data.timeZone }
    case 'ClientAdded':
    case 'ClientProfileRevised':
      return { ...agency, clients: { ...agency.clients, [event.data.clientId]: event.data.profile } }
    case 'ClientRemoved': {
      const { [event.data.clientId]: _gone, ...clients } = agency.clients
      return { ...agency, clients, removed: [...agency.removed, event.data.clientId] }
    }
    case 'SubscriptionActivated':
      return {
        ...agency,
        status: 'active',
        subscriptionId: event.data.subscriptionId,
        currentPeriodEnd: event.data.currentPeriodEnd,
      }
    case 'PaymentFellOverdue':
      return { ...agency, status: 'past_due' }
    case 'SubscriptionLeftUnpaid':
      return { ...agency, status: 'unpaid' }
    case 'SubscriptionCanceled':
      return { ...agency, status: 'canceled' }
  }
}

export const agencyDecider: Decider<Agency, AgencyCommand, AgencyEvent, AgencyRefusal, AgencyGiven> = {
  initial,
  decide,
  evolve,
}
