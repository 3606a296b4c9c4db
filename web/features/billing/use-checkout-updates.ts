/**
 * Says once how the visit to the payment page ended. What was paid is asked of the server, never believed of the
 * address.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { agencyQuery } from '../../lib/access-queries.ts'
import { afterPayment } from '../../lib/refetch.ts'
import { toast } from '../../ui/toast.ts'
import type { CheckoutOutcome } from './checkout-outcomes.ts'
import { words } from './words.ts'

/** @param onShown takes the word out of the address */
export function useCheckoutOutcome(outcome: CheckoutOutcome | undefined, onShown: () => void): void {
  const queries = useQueryClient()
  const isShown = useRef(false)
  useEffect(() => {
    if (outcome === undefined || isShown.current) return
    isShown.current = true
    onShown()
    if (outcome === 'canceled') return toast({ title: words.checkout.left, description: words.checkout.leftText })
    const refresh = async () => {
      try {
        const agency = await call('POST /api/billing/refresh')
        queries.setQueryData(agencyQuery.queryKey, agency)
        await afterPayment()
        const isActive = agency.subscriptionStatus === 'active'
        toast(
          isActive
            ? { title: words.checkout.added, description: words.checkout.addedText }
            : { title: words.checkout.waiting, description: words.checkout.waitingText },
        )
      } catch (error) {
        toast({
          title: words.error,
          description: words.checkout.failed,
          detail: errorText(error),
          variant: 'destructive',
        })
      }
    }
    void refresh()
  }, [outcome, onShown, queries])
}
