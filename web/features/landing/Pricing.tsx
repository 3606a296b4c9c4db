import { planPrice } from '../../lib/plan.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { PlanFeatures } from '../../ui/PlanFeatures.tsx'
import { words } from './words.ts'

export function Pricing({ onStart }: { readonly onStart: () => void }) {
  return (
    <section aria-labelledby="pricing-title" className="border-t border-line bg-canvas py-20">
      <div className="mx-auto grid max-w-page items-center gap-10 px-4 sm:px-6 lg:grid-cols-2">
        <div>
          <h2 id="pricing-title" className="text-3xl font-semibold tracking-tight">
            {words.pricing.heading}
          </h2>
          <p className="mt-2 max-w-text text-lg text-quiet">{words.pricing.text}</p>
        </div>
        <div className="rounded-dialog border border-line bg-surface p-6 sm:p-8" data-testid="pricing-card">
          <h3 className="text-lg font-semibold">{words.pricing.plan}</h3>
          <p className="tabular mt-2 flex items-baseline gap-1.5">
            <span className="text-3xl font-semibold tracking-tight">{planPrice}</span>
            <span className="text-quiet">{words.pricing.perMonth}</span>
          </p>
          <div className="my-6">
            <PlanFeatures />
          </div>
          <PlainButton look="primary" size="lg" wide onPress={onStart}>
            {words.pricing.start}
          </PlainButton>
        </div>
      </div>
    </section>
  )
}
