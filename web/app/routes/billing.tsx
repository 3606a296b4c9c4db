import { createFileRoute } from '@tanstack/react-router'
import { Billing } from '../../features/billing/Billing.tsx'
import { checkoutOutcomes, type CheckoutOutcome } from '../../features/billing/checkout-outcomes.ts'
import { oneOf } from '../../lib/search.ts'

export const Route = createFileRoute('/billing')({
  validateSearch: (search): { readonly checkout?: CheckoutOutcome | undefined } => ({
    checkout: oneOf(search, 'checkout', checkoutOutcomes),
  }),
  component: Screen,
})

function Screen() {
  return <Billing checkout={Route.useSearch().checkout} />
}
