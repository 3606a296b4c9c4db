import type { Agency } from '../../../api/contract/index.ts'
import { formatDate } from '../../lib/dates.ts'
import { subscriptionSentence } from '../../lib/subscription.ts'
import { useMay } from '../../lib/use-agency.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { PlanFeatures } from '../../ui/PlanFeatures.tsx'
import { SubscriptionBadge } from '../../ui/SubscriptionBadge.tsx'
import { cardRedirect, useBillingRedirect } from './use-billing-redirect.ts'
import { words } from './words.ts'

export function CurrentPlan({ agency: stored }: { readonly agency: Agency }) {
  const agency = { ...stored, subscriptionStatus: stored.subscriptionStatus || 'active' }
  const { subscriptionStatus: status } = agency
  const card = useBillingRedirect(cardRedirect(status))
  const portal = useBillingRedirect('portal')
  const pays = useMay('owner')
  const isPaid = status === 'active'
  return (
    <Card data-testid="card-plan">
      <h2 className="text-sm font-medium text-quiet">{words.plan.heading}</h2>
      <div className="mt-1 flex flex-wrap items-center gap-3">
        <p className="tabular text-xl font-semibold">{words.plan.price}</p>
        <SubscriptionBadge status={status} label={isPaid ? words.plan.active : status} />
      </div>
      <State agency={agency} />
      {agency.doublePaid && (
        <p className="mt-4 rounded-control bg-rejected-soft px-4 py-3 text-rejected-ink">{words.plan.doublePaid}</p>
      )}
      <div className="my-6">
        <PlanFeatures />
      </div>
      {pays ? (
        <div className="flex flex-wrap gap-2">
          <Button look={isPaid ? 'secondary' : 'primary'} {...card} data-testid="button-add-payment">
            {words.plan.addPayment}
          </Button>
          <Button look={isPaid ? 'primary' : 'secondary'} {...portal} data-testid="button-manage-subscription">
            {words.plan.manage}
          </Button>
        </div>
      ) : (
        <p className="text-quiet">{words.plan.byOwner}</p>
      )}
    </Card>
  )
}

/** Until when, and what then. */
function State({ agency }: { readonly agency: Agency }) {
  const { subscriptionStatus: status, standing, trialEndsAt, currentPeriodEnd, endsWithPeriod, timeZone } = agency
  if (status === 'trialing' && trialEndsAt !== null && standing === 'good') {
    return (
      <div className="mt-4 rounded-control bg-accent-soft px-4 py-3">
        <p className="font-medium text-accent-ink">{words.plan.trialEnds(formatDate(trialEndsAt, timeZone))}</p>
        <p className="mt-0.5 text-quiet">{words.plan.trialText}</p>
      </div>
    )
  }
  if (status === 'active') {
    if (currentPeriodEnd === null) return null
    const day = formatDate(currentPeriodEnd, timeZone)
    return endsWithPeriod ? (
      <div className="mt-4 rounded-control bg-pending-soft px-4 py-3">
        <p className="font-medium text-pending-ink">{words.plan.ends(day)}</p>
        <p className="mt-0.5 text-ink">{words.plan.endsText}</p>
      </div>
    ) : (
      <p className="mt-3 text-quiet">{words.plan.nextPayment(day)}</p>
    )
  }
  // A trial without an end, and a status that a newer server knows, are no trouble.
  if (standing === 'good' && status !== 'past_due')
    return <p className="mt-3 text-quiet">{subscriptionSentence(agency)}</p>
  // The clock that notes a trial's end may be a moment behind.
  const sentence = subscriptionSentence(status === 'trialing' ? { ...agency, subscriptionStatus: 'expired' } : agency)
  return <p className="mt-4 rounded-control bg-rejected-soft px-4 py-3 text-rejected-ink">{sentence}</p>
}
