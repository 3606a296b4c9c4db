import { Check } from 'lucide-react'
import { planFeatures } from '../lib/plan.ts'

export function PlanFeatures() {
  return (
    <ul className="flex flex-col gap-2.5">
      {planFeatures.map((feature) => (
        <li key={feature} className="flex items-center gap-2.5">
          <Check aria-hidden className="size-4 shrink-0 text-published-ink" />
          {feature}
        </li>
      ))}
    </ul>
  )
}
