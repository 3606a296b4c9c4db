/**
 * Says once how the visit to the payment page ended. What was paid is asked of the server, never believed of the
 * address.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { agencyQuery } from '../../lib/queries.ts'
import { afterPayment } from '../../lib/refetch.ts'
import { toast } from '../../ui/toast.ts'

export const checkoutOutcomes = ['done', 'canceled'] as const
export type CheckoutOutcome = (typeof checkoutOutcomes)[number]

/** @param onShown takes the word out of the address */
export function useCheckoutOutcome(outcome: CheckoutOutcome | undefined, onShown: () => void): void {
  const queries = useQueryClient()
  const isShown = useRef(false)
  useEffect(() => {
    if (outcome === undefined || isShown.current) return
    isShown.current = true
    onShown()
    if (outcome === 'canceled')
      return toast({
        title: 'Nothing was paid',
        description: 'You left the payment page. You can add a payment method whenever you like.',
      })
    const refresh = async () => {
      try {
        const agency = await call('POST /api/billing/refresh')
        queries.setQueryData(agencyQuery.queryKey, agency)
        await afterPayment()
        const isActive = agency.subscriptionStatus === 'active'
        toast(
          isActive
            ? { title: 'Payment method added', description: 'Thank you. Your subscription is active.' }
            : {
                title: 'Almost there',
                description: 'The payment is not confirmed yet. Refresh this page in a moment.',
              },
        )
      } catch (error) {
        toast({
          title: 'Error',
          description: 'Your subscription could not be looked up. Refresh this page in a moment.',
          detail: errorText(error),
          variant: 'destructive',
        })
      }
    }
    void refresh()
  }, [outcome, onShown, queries])
}
