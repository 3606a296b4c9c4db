import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { agencyQuery } from '../../lib/access-queries.ts'
import { invoicesQuery } from '../../lib/queries.ts'
import { useAgency, useMay } from '../../lib/use-agency.ts'
import { ForRole } from '../../ui/ForRole.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { CurrentPlan } from './CurrentPlan.tsx'
import { HeldPosts } from './HeldPosts.tsx'
import { Invoices } from './Invoices.tsx'
import type { CheckoutOutcome } from './checkout-outcomes.ts'
import { useCheckoutOutcome } from './use-checkout-updates.ts'
import { words } from './words.ts'

export function Billing({ checkout }: { readonly checkout: CheckoutOutcome | undefined }) {
  const agency = useAgency()
  const known = useQuery(agencyQuery)
  const pays = useMay('owner')
  const invoices = useQuery({ ...invoicesQuery, enabled: pays })
  const navigate = useNavigate()
  const onShown = useCallback(() => void navigate({ to: '/billing', search: {}, replace: true }), [navigate])
  useCheckoutOutcome(checkout, onShown)
  if (!agency) return null
  return (
    <>
      <PageHeader
        title={words.heading}
        text={words.text}
        actions={
          <RefreshButton
            busy={known.isFetching || invoices.isFetching}
            onRefresh={() => Promise.all([known.refetch(), pays && invoices.refetch()])}
          />
        }
      />
      <div className="flex max-w-[44rem] flex-col gap-4">
        <HeldPosts agency={agency} />
        <CurrentPlan agency={agency} />
        <ForRole least="owner">
          <Invoices zone={agency.timeZone} />
        </ForRole>
      </div>
    </>
  )
}
