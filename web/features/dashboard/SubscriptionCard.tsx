import { subscriptionSentence } from '../../lib/subscription.ts'
import { useAgency } from '../../lib/use-agency.ts'
import { Card } from '../../ui/Card.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { SubscriptionBadge } from '../../ui/SubscriptionBadge.tsx'
import { words } from './words.ts'

export function SubscriptionCard() {
  const agency = useAgency()
  if (!agency) return null
  return (
    <Card
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4! sm:py-4!"
      data-testid="card-subscription"
    >
      <div>
        <h2 className="flex items-center gap-2.5 font-semibold">
          {words.subscription}
          <SubscriptionBadge status={agency.subscriptionStatus} />
        </h2>
        <p className="mt-0.5 text-quiet">{subscriptionSentence(agency)}</p>
      </div>
      <LinkButton to="/billing" look="quiet">
        {words.billing}
      </LinkButton>
    </Card>
  )
}
