import { formatDate } from '../../lib/dates.ts'
import { subscriptionSentence } from '../../lib/subscription.ts'
import { useAgency } from '../../lib/use-agency.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PlanFeatures } from '../../ui/PlanFeatures.tsx'
import { SubscriptionBadge } from '../../ui/SubscriptionBadge.tsx'
import { toast } from '../../ui/toast.ts'

const noPayments = () =>
  toast({ title: 'Error', description: 'Card payments are not set up on this server.', variant: 'destructive' })

export function Billing() {
  const agency = useAgency()
  if (!agency) return null
  const { subscriptionStatus: status, trialEndsAt } = agency
  return (
    <>
      <PageHeader title="Billing & Subscription" text="Manage your subscription and payment methods" />
      <Card className="max-w-dialog" data-testid="card-plan">
        <h2 className="text-sm font-medium text-quiet">Current Plan</h2>
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <p className="tabular text-xl font-semibold">Agency Plan - $49/month</p>
          <SubscriptionBadge status={status} label={status === 'active' ? 'Active' : status} />
        </div>
        {status === 'trialing' && trialEndsAt !== null && (
          <div className="mt-4 rounded-control bg-accent-soft px-4 py-3">
            <p className="font-medium text-accent-ink">{`Your free trial ends on ${formatDate(trialEndsAt, agency.timeZone)}`}</p>
            <p className="mt-0.5 text-quiet">Add a payment method to continue after your trial</p>
          </div>
        )}
        {status !== 'trialing' && status !== 'active' && (
          <p className="mt-4 rounded-control bg-rejected-soft px-4 py-3 text-rejected-ink">{subscriptionSentence(agency)}</p>
        )}
        <div className="my-6">
          <PlanFeatures />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onPress={noPayments}>
            Add Payment Method
          </Button>
          <Button onPress={noPayments}>Manage Subscription</Button>
        </div>
      </Card>
    </>
  )
}
