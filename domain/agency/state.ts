/** The state of an agency, folded from its stream. */
import type { Instant } from '../core/event.ts'
import { UsedIds } from '../core/used-ids.ts'
import type { Standing } from '../core/values.ts'
import type { AgencyBrand, ClientProfile, SubscriptionStatus } from './commands.ts'
import type { AgencyEvent } from './events.ts'
import { followed, withEvent, type Subscription } from './subscriptions.ts'
import { evolveTeam, foundedBy, noTeam, withoutClient, type Team } from './team-state.ts'

export interface Agency {
  /** Null until the agency is opened. */
  readonly ownerId: string | null
  readonly name: string
  readonly timeZone: string
  readonly status: SubscriptionStatus
  readonly trialEndsAt: Instant | null
  /** All subscriptions the agency ever had. */
  readonly subscriptions: readonly Subscription[]
  readonly clients: Readonly<Record<string, ClientProfile>>
  /** The ids of removed clients: they are never used again. */
  readonly removed: UsedIds
  readonly team: Team
  /** Absent: neither logo nor colour. */
  readonly brand?: AgencyBrand
}

export const initialAgency: Agency = {
  ownerId: null,
  name: '',
  timeZone: 'UTC',
  status: 'trialing',
  trialEndsAt: null,
  subscriptions: [],
  clients: {},
  removed: UsedIds.none,
  team: noTeam,
}

export const noBrand: AgencyBrand = { logoHash: null, color: null }

const isNoBrand = ({ logoHash, color }: AgencyBrand) => logoHash === null && color === null

/** What the agency may do at an instant, whether or not the trial clock has already recorded the trial's end. */
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

export function evolveAgency(agency: Agency, event: AgencyEvent): Agency {
  switch (event.type) {
    case 'AgencyOpened':
      return { ...agency, ...event.data, team: foundedBy(agency.team, event.data.ownerId) }
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
      const { clientId } = event.data
      const { [clientId]: _gone, ...clients } = agency.clients
      return {
        ...agency,
        clients,
        removed: agency.removed.with(clientId),
        team: withoutClient(agency.team, clientId),
      }
    }
    case 'AgencyBrandSet': {
      const { brand: _, ...rest } = agency
      return isNoBrand(event.data) ? rest : { ...rest, brand: event.data }
    }
    case 'SubscriptionActivated':
    case 'SubscriptionConfirmed':
    case 'PaymentFellOverdue':
    case 'SubscriptionLeftUnpaid':
    case 'SubscriptionCanceled': {
      const subscriptions = withEvent(agency.subscriptions, event)
      return { ...agency, subscriptions, status: followed(subscriptions)?.status ?? agency.status }
    }
    case 'OwnershipTransferred':
      return { ...agency, ownerId: event.data.userId, team: evolveTeam(agency.team, event) }
    default:
      return { ...agency, team: evolveTeam(agency.team, event) }
  }
}
